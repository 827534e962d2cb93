import Testing

@testable import ProviderFakes

/// The conversion of a text to Apertium's stream format and back.
struct ApertiumTextTests {
  @Test(arguments: [
    ("Hola, ¿cómo estás?", "Hola, cómo estás?"), ("¡¡Hola!!", "Hola!!"), ("  Hola\n", "Hola"),
    ("[amigo] ^casa$", "X0X [0]casa[1]"), ("a/b\\c", "a[0]b[1]c"), ("<b>x</b>", "[0]b[1]x[2]b[3]"),
    ("{y} @marco #x *y*", "[0]y[1] [2]marco [3]x [4]y[5]"), ("uno\ndos", "uno[0]dos"),
    ("uno  dos", "uno[0]dos"), ("uno\0dos", "uno[0]dos"), ("uno\u{202E}dos", "uno[0]dos"),
    ("👍 uno", "[0] uno"), ("a las [X0X], [X1X]", "a las X0X, X1X"), ("[9]", "X0X"),
    ("[a b]", "[0]a b[1]"), ("It’s", "It's"), ("", ""), (" ", ""),
  ])
  func `special characters become blanks in the stream`(
    text: String,
    stream: String
  ) {
    #expect(ApertiumText(text, isSpanish: true).stream == stream)
  }

  @Test func `Spanish punctuation stays in other languages`() {
    #expect(ApertiumText("¿Hola?", isSpanish: false).stream == "¿Hola?")
  }

  @Test(arguments: [
    ("Hola\n[amigo] <b>!", "Ciao[0]X0X [1]b[2]!", "Ciao\n[amigo] <b>!"),
    // Blanks may change their order. An unknown word is kept.
    ("<uno dos tres seis \0", "due[1] [0]uno *tres sei", "due\0 <uno tres sei"),
    ("a las [X0X] voy", "alle *X0X  vado", "alle [X0X] vado"),
    ("\n Voy ya", "  vado già", "\n vado già"),
    ("con Zarathustra hoy", "con *Zarathustra oggi", "con Zarathustra oggi"),
    ("uno dos tres cuatro", "uno due tre *cuatro", "uno due tre cuatro"),
  ])
  func `the answer is converted back into a translation`(
    text: String,
    answer: String,
    translation: String
  ) {
    #expect(ApertiumText(text, isSpanish: true).translation(from: answer) == translation)
  }

  @Test(arguments: [
    // Too many words are unknown, or only a name is known.
    ("uno dos tres", "*uno due tre"), ("uno", "*uno"), ("uno dos", "@uno #dos"),
    ("con Ana", "*con *Ana"), ("Hola", "*Hola"), ("", ""), ("…", "[0]"),
    // A blank is missing, duplicated or unknown.
    ("<uno", "uno"), ("<uno", "[0]uno[0]"), ("<uno", "[0]uno[1]"), ("uno", "uno[0]"),
    ("a las [X0X] voy", "alle vado"), ("a las [X0X] voy", "alle X0X X0X vado"),
    ("a las [X0X] y a las X0X", "alle X0X e alle X0X"), ("a las [X0X] voy", "alle x0x vado"),
    // The answer contains markup of Apertium's programs.
    ("uno dos", "^uno<n>$ due"), ("uno dos", "uno [due"), ("uno dos", "uno [a] due"),
    ("uno dos", "uno \\[ due"), ("uno dos", "uno\0due"), ("uno dos", "uno [99999999999999999999]"),
  ])
  func `a doubtful answer is discarded`(text: String, answer: String) {
    #expect(ApertiumText(text, isSpanish: true).translation(from: answer) == nil)
  }

  @Test(arguments: HostileText.allCases)
  func `a program that echoes its input returns hostile text unchanged, or there is no answer`(
    hostile: HostileText
  ) {
    let text = String(hostile.text.prefix(5_000))
    let message = ApertiumText(text, isSpanish: false)
    #expect(!message.stream.contains("\0"))
    guard let answer = message.translation(from: message.stream) else { return }
    #expect(answer.utf8.elementsEqual(text.utf8))
  }
}
