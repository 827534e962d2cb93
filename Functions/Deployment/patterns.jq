# Patterns of documents' paths.

def segments: split("/");
# Whether a segment stands for any number of them.
def spans: . == "**" or test("^\\{.*=\\*\\*\\}$");
