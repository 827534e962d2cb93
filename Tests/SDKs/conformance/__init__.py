"""The contract of the Functions Framework, seen from outside: two servers, one function, events."""
