// What passes through the emulator is JSON without a type of its own; whoever has a request or an
// answer needs it.
@_exported public import JSONCoding
