"""The reference of the guest's libraries: docs/reference, made from the comments of their headers.

    headers     which headers a program may include, and what each declares, with its comment
    comments    what a comment has to say of a declaration, and what it lacks
    markdown    a comment as Markdown
    uses        files that call a function: its examples
    pages       the pages, and the index
    lookup      what the pages say of a name

The pages are in the repository, so a reader on the web sees them, and nobody needs a tool to read them. A test says
that they are those of the headers. Universal Ctags, which other tests need as well, reads the declarations. Doxygen
takes comments of another form alone, and libclang knows no comments of macros.
"""
