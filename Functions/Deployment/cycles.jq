# Prints cycles of functions that trigger each other without end, each as a sentence.
#
# Input: manifests. A function triggers another if one of its write patterns and one of the other's
# trigger patterns can match the same document. A trigger with fields ends a cycle, because the
# functions in the cycle are assumed not to write these fields.
#
# The Realtime Database isn't checked, neither its triggers nor `refWrites`. A manifest doesn't tell
# deletions from other writes, so mirrorPresence would be refused: it deletes nodes that trigger it.
# Cloud Storage and `objectWrites` aren't checked for the same reason.
#
# A cycle is refused only if one of its triggers is for updates: then one document can change again
# and again. A cycle of creations and deletions alone would need a new document in each round.
# Manifests don't tell whether a write creates a document, and most functions change the document
# that triggers them.

include "patterns";

def varies: contains("*") or startswith("{");

# Tells whether one path can match both patterns. In doubt, the result is true.
def overlap($one; $other):
  if ($one | length) > 0 and ($one[0] | spans) then
    any(range(($other | length) + 1); . as $count | overlap($one[1:]; $other[$count:]))
  elif ($other | length) > 0 and ($other[0] | spans) then overlap($other; $one)
  elif ($one | length) == 0 or ($other | length) == 0 then ($one | length) == ($other | length)
  else
    (if ($one[0] | varies | not) then
       if ($other[0] | varies | not) then $one[0] == $other[0]
       else ($other[0] | startswith("{")) or ($other[0] as $part | $part | matches($one[0])) end
     else
       ($one[0] | startswith("{")) or ($other[0] | varies)
       or ($one[0] as $part | $part | matches($other[0])) end)
    and overlap($one[1:]; $other[1:])
  end;

def kind: .eventType | ltrimstr("google.cloud.firestore.document.v1.") | split(".")[0];

# The pairs of functions where the first triggers the second, with the document's pattern. Triggers
# for updates of certain fields are left out.
def triggerings:
  . as $functions
  | [ $functions[] as $writer | $functions[] as $triggered
      | [ ($writer.writes // [])[] as $pattern
          | ($triggered.triggers // [])[] | select(.eventType | startswith("google.cloud.firestore."))
          | select(.fields == null or (kind | IN("created", "deleted")))
          | select(overlap($pattern | segments; .document | segments))
          | {from: $writer.name, to: $triggered.name, $pattern, kind: kind, document,
             isUpdate: (kind | IN("updated", "written"))} ]
      | sort_by(.isUpdate | not) | .[0] // empty ];

# The shortest path from one function to another, as a list of triggerings, or null if there is none.
def way($triggerings; $from; $to):
  {ways: [$triggerings[] | select(.from == $from) | [.]], seen: [$from], found: null}
  | until(.found != null or .ways == [];
      (.ways | map(select(.[-1].to == $to)) | .[0]) as $found
      | if $found != null then .found = $found
        else
          .seen as $seen
          | [.ways[] | select(.[-1].to | IN($seen[]) | not)] as $open
          | .seen += [$open[][-1].to]
          | .ways = [$open[] as $way | $triggerings[] | select(.from == $way[-1].to) | $way + [.]]
        end)
  | .found;

triggerings as $triggerings
| [ $triggerings[] | select(.isUpdate) | . as $first
    | if .from == .to then [.]
      else way($triggerings; .to; .from) | select(. != null) | [$first] + . end ]
# Each cycle is printed once, beginning with the name that sorts first.
| map(([.[].from] | index(min)) as $first | .[$first:] + .[:$first])
| unique_by([.[].from])[]
| map("\(.from) writes \(.pattern), which triggers \(.to) when \(.document) is \(.kind)") | join("; ")
