/// Events in the format of a function's stdin.
enum EventFixtures {
  static let name = "projects/p/databases/(default)/documents/conversations/c1/messages/m1"

  static func document(_ name: String = name, text: String = "Hello") -> String {
    """
    {"name":"\(name)","fields":{"text":{"stringValue":"\(text)"}},\
    "createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00.123456Z"}
    """
  }

  static let newText = #"{"value":\#(document()),"oldValue":\#(document(text: "Hi"))}"#
  static let created = #"{"value":\#(document())}"#
  static let deleted = #"{"oldValue":\#(document())}"#

  /// Returns a CloudEvent of Firestore.
  ///
  /// - Parameter more: additional attributes, each after a comma.
  static func cloudEvent(_ type: String, _ data: String, more: String = "") -> String {
    """
    {"specversion":"1.0","id":"e1","source":"//firestore.googleapis.com/projects/p",\
    "type":"google.cloud.firestore.document.v1.\(type)","time":"2026-01-02T00:00:00Z",\
    "subject":"documents/conversations/c1/messages/m1"\(more),"data":\(data)}
    """
  }
}
