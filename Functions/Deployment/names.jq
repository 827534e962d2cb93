# Names of Google's resources, derived from functions' names.

# The roles of this project. Google's own roles allow much more: subscribing devices to topics, reading
# and changing accounts, deleting databases, or reading all uploads. The permissions are sorted.
def push_role: "worldchatPushSender";
def account_role: "worldchatAccountDeleter";
def database_role: "worldchatDatabaseEditor";
def object_role: "worldchatObjectDeleter";
def own_roles: [
  {name: push_role, title: "WorldChat: sends pushes", permissions: ["cloudmessaging.messages.create"]},
  {name: account_role, title: "WorldChat: deletes accounts", permissions: ["firebaseauth.users.delete"]},
  {name: database_role, title: "WorldChat: reads and writes the Realtime Database",
   permissions: ["firebasedatabase.instances.get", "firebasedatabase.instances.update"]},
  # The functions in this folder delete objects, but upload none.
  {name: object_role, title: "WorldChat: deletes objects",
   permissions: ["storage.objects.delete", "storage.objects.list"]}
];
# The topic of dead letters, and the subscription that keeps them.
def dead_letters: "worldchat-dead-letters";

# A hash for names and labels, the same on every machine.
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

# Cuts a name to a length. A hash at the end distinguishes it from names with the same beginning.
def short(length):
  if utf8bytelength <= length then . else "\(.[:length - 9] | rtrimstr("-"))-\(hash)" end;

# The ids of a function's two accounts, from its name in kebab case: the function runs as the first,
# and its events are delivered as the second.
def function_account: "fn-\(.)" | short(30);
def event_account: "ev-\(.)" | short(30);

# The tag of an image, from its revision: the shortened commit, and the hash of uncommitted changes.
def tag_of: .[:12] + .[40:];

# Quotes a user's text in a message if it has special characters.
def shown: if test("\\A[A-Za-z0-9_./:=@,%+-]+\\z") then . else tojson end;
