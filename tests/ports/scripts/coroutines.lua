-- Coroutines: many at once, deep ones, errors in them.
local function producer(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local function filter(from, divisor)
    return coroutine.wrap(function() for i in from do if i % divisor ~= 0 then coroutine.yield(i) end end end)
end
local primes, from = {}, producer(200)
from()
while true do
    local prime = from()
    if not prime then break end
    primes[#primes + 1] = prime
    from = filter(from, prime)
end
print(#primes, primes[#primes])

local all = {}
for i = 1, 2000 do all[i] = coroutine.create(function(a) local b = coroutine.yield(a + i) return a * b end) end
local sum = 0
for i = 1, 2000 do sum = sum + select(2, coroutine.resume(all[i], i)) end
for i = 1, 2000 do sum = sum + select(2, coroutine.resume(all[i], 2)) end
print(sum, coroutine.status(all[1]), coroutine.resume(all[1]))

local function deep(n) if n == 0 then coroutine.yield("deep") return 0 end return 1 + deep(n - 1) end
local thread = coroutine.create(deep)
print(coroutine.resume(thread, 10000))
print(coroutine.resume(thread))
print(coroutine.resume(coroutine.create(function() local t = nil return t.field end)))
print(pcall(function() error({code = 7}) end), select(2, pcall(error, "plain", 0)))
local function down(n) if n == 0 then error("the bottom", 0) end return 1 + down(n - 1) end
print(xpcall(down, function(m) return "handled: " .. m end, 50000))
print(select(2, load(("("):rep(300))):match("C stack overflow"))
print(coroutine.isyieldable(), coroutine.close(coroutine.create(print)))
