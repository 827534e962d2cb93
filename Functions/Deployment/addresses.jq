# Prints how apps call the functions: Firebase's SDKs find a function on Cloud Run by its address only.
#
# Input: all files of $known.

include "steps";

known
| .settings as $settings
| [.functions[] | select(.call != null)
    | {name, url: "https://\(.call.name)-\($settings.projectNumber).\($settings.region).run.app"}]
| select(. != [])
| "\nApps call the functions at these addresses:",
  (.[] | "  \(.name)  \(.url)"),
  (.[0].url
    | "with Firebase's SDK:",
      "  JavaScript  httpsCallableFromURL(getFunctions(), \"\(.)\")",
      "  Swift       Functions.functions().httpsCallable(URL(string: \"\(.)\")!)",
      "  Kotlin      Firebase.functions.getHttpsCallableFromUrl(URL(\"\(.)\"))",
      "  Dart        FirebaseFunctions.instance.httpsCallableFromUrl(\"\(.)\")")
