/*
 * What C++ promises of a program: constructors, exceptions, types at run time, memory,
 * the standard library. Prints what happens, in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

extern "C" {
#include "part.h"
}

namespace {

struct Told {
    std::string name;

    explicit Told(const char *of) : name(of) { std::cout << "+" << name << " "; }
    ~Told() { std::cout << "-" << name << " " << std::flush; }
};

Told last("last"), later __attribute__((init_priority(300)))("second"),
    first __attribute__((init_priority(200)))("first");

Told &local()
{
    static Told only("local");
    return only;
}

/* ---- Exceptions ----------------------------------------------------------- */

/* More frames than the processor has register windows, each with something to destroy. */
int deep(int levels)
{
    std::vector<int> here(levels + 1, levels);

    if (levels == 0) {
        throw std::runtime_error("bottom");
    }
    return deep(levels - 1) + here[0];
}

struct Fails {
    Told member{"member"};

    Fails() { throw 5L; }
    ~Fails() { std::cout << "never "; }
};

/* Throws and catches while another exception unwinds. */
struct Cleans {
    ~Cleans()
    {
        try {
            throw std::string("inner");
        } catch (const std::string &text) {
            std::cout << text << " of " << std::uncaught_exceptions() << " ";
        }
    }
};

/* The caught value comes through `levels` functions that catch another type. */
int through(int levels)
{
    try {
        if (levels == 0) {
            throw 3.5;
        }
        return through(levels - 1);
    } catch (int) {
        return -1;
    }
}

void exceptions()
{
    for (int levels : { 0, 1, 7, 8, 60 }) {
        try {
            deep(levels);
        } catch (const std::exception &error) {
            std::cout << levels << " " << error.what() << "\n";
        }
    }
    try {
        through(20);
    } catch (double value) {
        std::cout << value << "\n";
    }
    try {
        Fails fails;
    } catch (long number) {
        std::cout << number << "\n";
    }
    try {
        Cleans cleans;
        throw 'x';
    } catch (char letter) {
        std::cout << letter << "\n";
    }
    try {
        try {
            throw std::out_of_range("again");
        } catch (const std::logic_error &) {
            throw;
        }
    } catch (const std::out_of_range &error) {
        std::cout << error.what() << "\n";
    }
    std::exception_ptr kept;
    try {
        (void)std::vector<int>().at(1);
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception &error) {
        std::cout << typeid(error).name() << "\n";
    }
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        double before = sum + 0.5;      /* in a register of the FPU */
        try {
            deep(k);
        } catch (...) {
            sum = before + k;
        }
    }
    std::cout << sum << "\n";
}

/* ---- Types, memory, library ------------------------------------------------- */

struct Base {
    virtual ~Base() = default;
    virtual int answer() const { return 1; }
};
struct Other {
    virtual ~Other() = default;
};
struct Derived : Base, Other {
    int answer() const override { return 42; }
};

void types()
{
    std::unique_ptr<Base> base = std::make_unique<Derived>();

    std::cout << base->answer() << " " << (dynamic_cast<Other *>(base.get()) != nullptr)
              << (dynamic_cast<Told *>(base.get()) != nullptr) << " " << typeid(*base).name();
    try {
        dynamic_cast<Derived &>(*std::make_unique<Base>());
    } catch (const std::bad_cast &error) {
        std::cout << " " << error.what() << "\n";
    }
}

void memory()
{
    std::vector<char *> blocks;

    try {
        for (;;) {
            blocks.push_back(new char[100 << 20]);
        }
    } catch (const std::bad_alloc &error) {
        std::cout << blocks.size() << " blocks, " << error.what() << "\n";
    }
    for (char *block : blocks) {
        delete[] block;
    }
    std::cout << (new (std::nothrow) char[0x7ff00000] == nullptr) << "\n";
}

void library()
{
    std::map<std::string, int> counts;
    std::istringstream words("the quick fox the lazy dog the end");
    for (std::string word; words >> word; ) {
        counts[word]++;
    }
    for (const auto &[word, count] : counts) {
        std::cout << word << count << " ";
    }
    std::vector<int> numbers{ 5, 3, 9, 1 };
    std::sort(numbers.begin(), numbers.end(), std::greater<>());
    auto text = std::make_shared<std::string>("shared");
    std::function<std::size_t(int)> size = [text](int more) { return text->size() + more; };
    std::cout << numbers[0] << numbers[3] << " " << size(1) << " " << text.use_count() << "\n";
    std::ostringstream out;
    out << 0.1 << " " << std::hex << 255 << " " << 1e300 * 10;
    std::cout << out.str() << " " << std::stod("2.5") << " " << std::to_string(1LL << 40) << "\n";
}

}

int main(int argc, char **argv)
{
    std::cout << "\n" << argc << argv[1] << "\n";
    exceptions();
    types();
    memory();
    library();
    local();
    std::cout << part_twice([](int value) { return value + 1; }, 5) << "\n";
    std::atexit([] { std::cout << "atexit "; });
    return 3;
}
