import Core
import Testing

struct PartialJSONTests {
  private static let whole =
    #"{"before":{"answer":"not this, \"}\""},"list":[1,"]",{"a":null}],"# + "\n"
    + #" "answer" : "Cena alle 8.\n“Sì” \\ 🍕 \ud83c\udf55 é","found":true}"#
  private static let text = "Cena alle 8.\n“Sì” \\ 🍕 🍕 é"

  @Test func `every prefix of an answer gives a prefix of its text, and the text grows`() {
    var last: String?
    for count in 0...Self.whole.utf8.count {
      let text = PartialJSON.text(of: "answer", in: Self.whole.utf8.prefix(count))
      if let last {
        #expect(text?.hasPrefix(last) == true, "after \(count) bytes")
      }
      if let text { #expect(Self.text.hasPrefix(text), "after \(count) bytes") }
      last = text
    }
    #expect(last == Self.text)
  }

  @Test(arguments: [
    "", " ", "{", #"{"answer""#, #"{"answer":"#, #"{"answer":7,"x":"#, #"["answer","x"]"#,
    #"{"answers":"x"}"#, #"{"x":"answer"}"#, #"{"x":{"answer":"y"}}"#, #"{"x" "answer":"y"}"#,
    "no JSON", #"{"a":}}}}"#, #"{"answer":null}"#, "{]",
  ])
  func `a prefix without such a text gives none`(json: String) {
    #expect(PartialJSON.text(of: "answer", in: json.utf8) == nil)
  }
}
