# Patterns of document paths.

def segments: split("/");
# Tells whether a segment matches any number of segments.
def spans: . == "**" or test("^\\{.*=\\*\\*\\}$");
