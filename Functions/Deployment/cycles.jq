# Circles of functions that wake each other without end, each as a sentence.
#
# Input: manifests. A function wakes another where a pattern of what it writes and one of a trigger can
# be the same document. A trigger with fields ends a circle: what is written there doesn't concern it.
# Of the rest a circle is refused if a change of a document that is there can go round in it, so if one
# trigger of it at least is for updates. Circles of creations and deletions alone would need a new
# document for each turn; manifests don't tell whether a write creates, and functions that change what
# they woke for are the rule.

include "patterns";

def varies: contains("*") or startswith("{");
# c* and c*1; what stars stand for may be anything.
def matches($text): . as $part | $text | test(
  "^" + ($part | gsub("(?<c>[^A-Za-z0-9_*])"; "\\\(.c)") | gsub("\\*"; ".*")) + "$");

# Whether one path can match both. It may say yes too often.
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

# Who wakes whom by what, where no field is asked for.
def wakings:
  . as $functions
  | [ $functions[] as $writer | $functions[] as $woken
      | [ ($writer.writes // [])[] as $pattern
          | ($woken.triggers // [])[] | select(.fields == null or (kind | IN("created", "deleted")))
          | select(overlap($pattern | segments; .document | segments))
          | {from: $writer.name, to: $woken.name, $pattern, kind: kind, document,
             isUpdate: (kind | IN("updated", "written"))} ]
      | sort_by(.isUpdate | not) | .[0] // empty ];

# The shortest way from a function to another, as a list of wakings; null if there is none.
def way($wakings; $from; $to):
  {ways: [$wakings[] | select(.from == $from) | [.]], seen: [$from], found: null}
  | until(.found != null or .ways == [];
      (.ways | map(select(.[-1].to == $to)) | .[0]) as $found
      | if $found != null then .found = $found
        else
          .seen as $seen
          | [.ways[] | select(.[-1].to | IN($seen[]) | not)] as $open
          | .seen += [$open[][-1].to]
          | .ways = [$open[] as $way | $wakings[] | select(.from == $way[-1].to) | $way + [.]]
        end)
  | .found;

wakings as $wakings
| [ $wakings[] | select(.isUpdate) | . as $first
    | if .from == .to then [.]
      else way($wakings; .to; .from) | select(. != null) | [$first] + . end ]
# Each circle is told once, from the name that comes first.
| map(([.[].from] | index(min)) as $first | .[$first:] + .[:$first])
| unique_by([.[].from])[]
| map("\(.from) writes \(.pattern), which wakes \(.to) when \(.document) is \(.kind)") | join("; ")
