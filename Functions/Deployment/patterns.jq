# Patterns of paths.

def segments: split("/");
# Tells whether a segment matches any number of segments.
def spans: . == "**" or test("^\\{.*=\\*\\*\\}$");
# Matches segments such as c* and c*1; a star stands for any text.
def matches($text): . as $part | $text | test(
  "^" + ($part | gsub("(?<c>[^A-Za-z0-9_*])"; "\\\(.c)") | gsub("\\*"; ".*")) + "$");
