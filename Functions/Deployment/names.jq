# Names that Google takes, made of names of functions.

# The role of those that send pushes, which has one permission.
def push_role: "worldchatPushSender";
# Events that were given up: a topic, and the subscription that keeps them.
def dead_letters: "worldchat-dead-letters";

# Names and labels must not change with the machine.
def hash(multiplier):
  reduce explode[] as $code (2166136261; (. * multiplier + $code) % 4294967296)
  | [range(8) as $digit | (. / pow(16; 7 - $digit) | floor) % 16]
  | map("0123456789abcdef"[.:. + 1]) | add;
def hash: hash(31);

# translateMessage → translate-message, askAI → ask-ai.
def kebab:
  gsub("(?<a>[a-z0-9])(?<b>[A-Z])"; "\(.a)-\(.b)")
  | gsub("(?<a>[A-Z])(?<b>[A-Z][a-z])"; "\(.a)-\(.b)")
  | gsub("_"; "-") | ascii_downcase;

# Cut to a length, and still told apart from others that begin alike.
def short(length):
  if utf8bytelength <= length then . else "\(.[:length - 9] | rtrimstr("-"))-\(hash)" end;

# Who a function is, and who its events come as: ids of accounts, of its name in kebab case.
def function_account: "fn-\(.)" | short(30);
def event_account: "ev-\(.)" | short(30);

# The tag of an image, of the revision that it is made of: the commit cut short, and what is changed since.
def tag_of: .[:12] + .[40:];

# A text that somebody wrote, in a sentence.
def shown: if test("\\A[A-Za-z0-9_./:=@,%+-]+\\z") then . else tojson end;
