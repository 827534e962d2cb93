import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(1)))
struct LinksTests {
  static let texts: [(text: String, links: Set<String>)] = [
    ("https://example.com/A?b=C#d", ["https://example.com/a?b=c#d"]),
    ("HTTPS://EXAMPLE.COM", ["https://example.com"]),
    ("ftp://x, worldchat://open", ["ftp://x", "worldchat://open"]),
    ("see example.com.", ["example.com"]), ("Example.COM!", ["example.com"]),
    ("(example.it), \"shop.example.de\"", ["example.it", "shop.example.de"]),
    ("*bit.ly/x* _t.me/y_", ["bit.ly/x", "t.me/y"]),
    ("example.com:8080/x", ["example.com:8080/x"]),
    ("192.example.com", ["192.example.com"]), ("xn--bcher-kva.com", ["xn--bcher-kva.com"]),
    ("bücher.de пример.com", ["bücher.de", "пример.com"]),
    ("www.example", ["www.example"]), ("WWW.x", ["www.x"]),
    // Other full stops of host names.
    ("example。com", ["example.com"]), ("example．com example｡com", ["example.com"]),
    // Something glued to it.
    ("sito:example.com", ["sito:example.com"]), ("a/example.com", ["a/example.com"]),
    ("my_shop.example.com", ["my_shop.example.com"]), ("→example.com", ["→example.com"]),
    ("example.com—great", ["example.com"]), ("example.com...ciao", ["example.com...ciao"]),
    ("example.com&x=1", ["example.com&x=1"]), ("see:www.x", ["see:www.x"]),
    ("看看example.com吧", ["看看example.com吧"]), ("例子.com", ["例子.com"]),
    // Mail, whatever the name of the host.
    ("write to Anna.Rossi+x@Example.Museum!", ["anna.rossi+x@example.museum"]),
    ("<a@b.xx>", ["a@b.xx"]), ("mailto:a@b", ["mailto:a@b"]), ("a@b.c@d", ["a@b.c@d"]),
    // Other things that open with a tap.
    ("javascript:alert(1)", ["javascript:alert"]), ("data:text/html,x", ["data:text/html"]),
    ("tel:112 sms:1", ["tel:112", "sms:1"]), ("intent:x", ["intent:x"]),
    // Telephone numbers, however they are written.
    ("055 1234567", ["0551234567"]), ("+39 (055) 123-45.67", ["390551234567"]),
    ("089/1234567", ["0891234567"]), ("٠٥٥١٢٣٤٥٦٧", ["0551234567"]),
    ("０５５１２３４５６７", ["0551234567"]), ("call1234567now", ["1234567"]),
    ("1234567, 7654321", ["1234567", "7654321"]), ("9123 4567", ["91234567"]),
    ("12.34.56.78.90", ["1234567890"]), ("1\u{A0}234\u{A0}567", ["1234567"]),
    ("on 21/10/2025 0551234567 2025-10-21", ["0551234567"]),
    ("+2012-2013", ["20122013"]), ("2012-1999", ["20121999"]), ("99/99/2025", ["99992025"]),
    ("10.000.000", ["10000000"]), ("1234567 1234567", ["12345671234567"]),
  ]

  @Test(arguments: texts)
  func `what a reader could open, write to or call is found`(text: String, links: Set<String>) {
    #expect(Links.found(in: text) == links)
  }

  static let otherTexts: [String] = [
    "", ".", "...", "e.g.", "e.g. this", "i.e.", "z.B.", "z.B. so", "d.h.", "p.m.", "a.k.a.",
    "U.S.A.", "S.p.A.", "3.14", "3,14", "1.5x", "v1.2.3", "19.30", "at 19:30", "19:30-21:00",
    "1,000,000", "wait...no", "sì…no", "Ciao.Come stai", "end.Then", "and/or", "w/o", "he/she",
    "24/7",
    "@anna", "me @ home", "a@b", "10@1.50", "@", "a@", "node.js", "notes.txt", "ratio 1:2",
    "data: none", "tel: ", "intent", "www", "www.", "http:", ":/",
    "😀.😀", "你好。今天好", "そうです。はい", "¿Qué?", "100%", "#1", "C++", "x.y.z", "..com",
    "112", "055 123", "123456", "1 2 3 4 5 6", "12a34b56c78", "²²²²²²²", "½½½½½½½", "七七七七七七七",
    // Dates and spans of years.
    "10/10/2025", "21/10/2025", "10/21/2025", "21.10.2025", "21-10-2025", "2025-10-21",
    "2025/1/2", "(21.10.2025)", "1939-1945", "(1939–1945)", "2025-10-21T10:00:00Z",
    "21/10/2025 19:30", "21.10.2025, 19.30", "٢١/١٠/٢٠٢٥",
  ]

  @Test(arguments: otherTexts)
  func `other texts have no link`(text: String) {
    #expect(Links.found(in: text).isEmpty)
  }

  /// Words that look like a host, for want of a space after a full stop, are taken for one.
  @Test(arguments: ["ASP.NET", "Fatto.Me lo dici", "Dr.No", "@anna.rossi"])
  func `what could be a link is taken for one`(text: String) {
    #expect(Links.found(in: text).count == 1)
  }

  @Test(arguments: ["e\u{301}", "a.", ".", "1", "1/", "@", "a@b.", "://", "[", "www.", "1 "])
  func `an endless text takes no time`(piece: String) {
    let text = String(repeating: piece, count: 20_000)
    #expect(Links.found(in: text).count <= 1)
    _ = Links.found(in: "e" + String(repeating: "\u{301}", count: 100_000) + ".com")
  }
}
