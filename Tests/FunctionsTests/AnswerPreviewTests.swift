import Core
import Synchronization
import Testing

@testable import askAI

struct AnswerPreviewTests {
  @Test(arguments: [
    ("", ""), ("Dinner", ""), ("Dinner is at 8.", ""), ("Dinner is at 8. ", "Dinner is at 8."),
    ("Dinner is at 8.30, says P1. Bring", "Dinner is at 8.30, says P1."),
    ("Really? Yes! No", "Really? Yes!"), ("夕食は8時です。どう", "夕食は8時です。"),
    ("- one\n- two", "- one"), ("😀. ", "😀."),
  ])
  func `only whole sentences are shown`(text: String, shown: String) {
    #expect(AnswerPreview.wholeSentences(of: text) == shown)
  }

  @Test func `each sentence is shown once, when the next begins`() {
    let shown = Mutex<[String]>([])
    let preview = AnswerPreview { answer in shown.withLock { $0.append(answer.answer) } }
    let json = #"{"answer":"At 8. “Bring wine!” she said. Done.","found":true,"sources":["m1"]}"#
    for count in 0...json.utf8.count {
      preview.show(String(decoding: json.utf8.prefix(count), as: UTF8.self))
    }
    #expect(shown.withLock(\.self) == ["At 8.", "At 8. “Bring wine!” she said."])
    // The model starts a second answer, which replaces the first one.
    preview.show(#"{"answer":"At 9. Or"#)
    #expect(shown.withLock(\.self).last == "At 9.")
  }
}
