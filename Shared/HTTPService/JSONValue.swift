// What passes through services is JSON without a type of its own; whoever has a request or an
// answer needs it.
@_exported public import JSONCoding
