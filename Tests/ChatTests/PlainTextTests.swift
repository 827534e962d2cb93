import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct PlainTextTests {
  /// Texts, and the spans that must be found in them.
  static let texts: [(text: String, spans: Set<String>)] = [
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
    // Characters that a browser treats as a full stop.
    ("example。com", ["example.com"]), ("example．com example｡com", ["example.com"]),
    // Spans with other text directly before or after them.
    ("sito:example.com", ["sito:example.com"]), ("a/example.com", ["a/example.com"]),
    ("my_shop.example.com", ["my_shop.example.com"]), ("→example.com", ["example.com"]),
    ("example.com—great", ["example.com"]), ("example.com...ciao", ["example.com...ciao"]),
    ("example.com&x=1", ["example.com&x=1"]), ("see:www.x", ["see:www.x"]),
    ("看看example.com吧", ["看看example.com吧"]), ("例子.com", ["例子.com"]),
    // Mail addresses, with any host name.
    ("write to Anna.Rossi+x@Example.Museum!", ["anna.rossi+x@example.museum"]),
    ("<a@b.xx>", ["<a", "a@b.xx"]), ("mailto:a@b", ["mailto:a@b"]), ("a@b.c@d", ["a@b.c@d"]),
    // Other text that opens an app or a page when a reader taps it.
    ("javascript:alert(1)", ["javascript:alert"]), ("data:text/html,x", ["data:text/html,x"]),
    ("tel:112 sms:1", ["tel:112", "sms:1"]), ("intent:x", ["intent:x"]),
    // Telephone numbers, in any notation.
    ("055 1234567", ["0551234567"]), ("+39 (055) 123-45.67", ["390551234567"]),
    ("089/1234567", ["0891234567"]), ("٠٥٥١٢٣٤٥٦٧", ["0551234567"]),
    ("０５５１２３４５６７", ["0551234567"]), ("call1234567now", ["1234567"]),
    ("1234567, 7654321", ["1234567", "7654321"]), ("9123 4567", ["91234567"]),
    ("12.34.56.78.90", ["1234567890"]), ("555—123—4567", ["5551234567"]),
    ("555➖123➖4567", ["5551234567"]), ("555・123・4567", ["5551234567"]),
    ("[555] [123] [4567]", ["5551234567"]), ("555“123”4567", ["5551234567"]),
    ("1\u{A0}234\u{A0}567", ["1234567"]),
    ("on 21/10/2025 0551234567 2025-10-21", ["0551234567"]),
    ("+2012-2013", ["20122013"]), ("2012-1999", ["20121999"]), ("99/99/2025", ["99992025"]),
    ("06.12.3456", ["06123456"]),
    ("10.000.300", ["10000300"]), ("10.000.000", []), ("1234567 1234567", ["12345671234567"]),
    ("+39 333 1234567", ["393331234567"]), ("612 345 678", ["612345678"]),
    ("06.12.34.56.78", ["0612345678"]), ("06 12 34 56 78", ["0612345678"]),
    ("06.12 34.56 78", ["0612345678"]), ("06-12 34-56 78-90", ["061234567890"]),
    ("(030) 12345678", ["03012345678"]), ("0171/1234567", ["01711234567"]),
    ("٠١٢٣٤٥٦٧٨٩", ["0123456789"]), ("€ 0612345678", ["0612345678"]),
    ("0612345678 €", ["0612345678"]),
    ("18.30 055 1234567", ["18300551234567"]), ("1250000 Einwohner", ["1250000"]),
    // Host names of any kind, in any script.
    ("conto-bloccato.bond/login", ["conto-bloccato.bond/login"]),
    ("evil.at/premio", ["evil.at/premio"]), ("banca.today/login", ["banca.today/login"]),
    ("evil.in/x", ["evil.in/x"]), ("evil.in", ["evil.in"]), ("bit.do/abc", ["bit.do/abc"]),
    ("evil.Bond", ["evil.bond"]), ("x.com", ["x.com"]), ("evil.com.", ["evil.com"]),
    ("xn--e1awd7f.xn--p1ai/x", ["xn--e1awd7f.xn--p1ai/x"]), ("оплата.рф/вход", ["оплата.рф/вход"]),
    ("p.es/x", ["p.es/x"]), ("p.es", ["p.es"]), ("evil.com.今天", ["evil.com.今天"]),
    ("𝐞𝐯𝐢𝐥.𝐜𝐨𝐦", ["evil.com"]), ("𝓮𝓿𝓲𝓵.𝕔𝕠𝕞/𝟙", ["evil.com/1"]),
    ("公司.中国/登录", ["公司.中国/登录"]), ("例え.みんな", ["例え.みんな"]),
    ("예.한국", ["예.한국"]), ("คน.ไทย", ["คน.ไทย"]), ("去公司.中国看看", ["去公司.中国看看"]),
    ("evil.書籍", ["evil.書籍"]), ("evil.д.Рф", ["evil.д.рф"]), ("bank.د.شبكة", ["bank.د.شبكة"]),
    ("例え。com", ["例え.com"]), ("公司。net", ["公司.net"]),
    ("сбербанк-я.РФ/вход", ["сбербанк-я.рф/вход"]), ("ε.ΕΛ/abc", ["ε.ελ/abc"]),
    ("银行．com/login", ["银行.com/login"]), ("evil.№/login", ["evil"]),
    ("银行.珠宝", ["银行.珠宝"]),
    // Addresses of four numbers (IPv4).
    ("0xC0.0xA8.0x1.0x1/x", ["0xc0.0xa8.0x1.0x1/x"]),
    ("8.8.8.8/x", ["8.8.8.8/x"]), ("8.8.8.8", ["8.8.8.8"]), ("8.8.8.8:80", ["8.8.8.8:80"]),
    // Codes with hyphens, and commands after punctuation.
    (
      "1BvBMSEYstWe-tqTFn5Au4m-4GFg7xJaNVN2", ["1bvbmseystwe-tqtfn5au4m-4gfg7xjanvn2"]
    ),
    ("👉/start", ["/start"]), ("!/start", ["/start"]), ("-/start", ["-/start"]),
    // URLs with other schemes.
    ("whatsapp:send?text=x", ["whatsapp:send?text=x"]), ("facetime:x@y", ["facetime:x@y"]),
    ("bitcoin:1abc", ["bitcoin:1abc"]), ("file:/etc/passwd", ["file:/etc/passwd"]),
    ("mailto:?to=x", ["mailto:?to=x"]),
    ("TEL:abcd", ["tel:abcd"]), ("TG:join?x", ["tg:join?x"]), ("MAILTO:anna", ["mailto:anna"]),
    ("→signal:?x", ["signal:?x"]),
    ("𝐣𝐚𝐯𝐚𝐬𝐜𝐫𝐢𝐩𝐭:alert", ["javascript:alert"]), ("ms-word:ofe", ["ms-word:ofe"]),
  ]

  @Test(arguments: texts)
  func `everything that a reader could open, write to or call is found`(
    text: String,
    spans: Set<String>
  ) {
    #expect(spansOf(text, but: .symbol) == spans)
  }

  private func spansOf(_ text: String, but kind: PlainText.Kind? = nil) -> Set<String> {
    let findings = PlainText.findings(in: text).filter { $0.kind != kind }
    return Set(findings.map { String(String.UnicodeScalarView($0.span)) })
  }

  static let otherTexts: [String] = [
    "", ".", "...", "e.g.", "e.g. this", "i.e.", "z.B.", "z.B. so", "d.h.", "p.m.", "a.k.a.",
    "U.S.A.", "S.p.A.", "3.14", "3,14", "1.5x", "v1.2.3", "19.30", "at 19:30", "19:30-21:00",
    "1,000,000", "wait...no", "sì…no", "and/or", "w/o", "he/she",
    "24/7",
    "me @ home", "@", "a@", "ratio 1:2",
    "data: none", "tel: ", "intent", "www", "www.", "http:", ":/",
    "😀.😀", "你好。今天好", "そうです。はい", "¿Qué?", "100%", "#1", "C++", "x.y.z", "..com",
    "112", "055 123", "123456", "1 2 3 4 5 6", "12a34b56c78", "²²²²²²²", "½½½½½½½", "七七七七七七七",
    "А.С.Пушкин", "د.أحمد", "EU:ssa", "NATO:on", "TV:n", "5 № 7", "Marke™.", "€/kg",
    "COVID-19-Impfung-Termin-2024", "iPhone15-Pro-Max-256GB-USB-C",
    // Dates and ranges of years.
    "10/10/2025", "21/10/2025", "10/21/2025", "21.10.2025", "21-10-2025", "2025-10-21",
    "2025/1/2", "(21.10.2025)", "1939-1945", "(1939–1945)", "2025-10-21T10:00:00Z",
    "21/10/2025 19:30", "21.10.2025, 19.30", "٢١/١٠/٢٠٢٥", "1939 – 1945", "1939 - 1945",
    // Times, and dates without a year or with a short one.
    "Il 05/12 18.30", "21.11. 18.30-20.00", "21.11.26 18.30", "21/11/26 18:30", "18.30-20.00",
    "18.30 – 20.00", "alle 20.30", "2026-11-21 18:30", "Tisch 12, 18.30 Uhr", "21.11. 18-20",
    "20.11. 18.30 (4 Personen)", "12-14/12/2026", "21.-25.11. 18.30", "18.30Uhr", "10.30am",
    // Amounts of money.
    "1.250.000 €", "1 200 000 €", "€ 1.250.000", "€1.250.000", "1.250.000,50 €", "$1,250,000",
    "1.250.000 Euro", "EUR 1.250.000", "CHF 1'250'000",
    // Abbreviations.
    "p.es.", "p.es. questo", "P.es.:", "p.ex.", "p.ej.", "v.gr.", "(v.gr.)", "z.B.", "d.h.", "ecc.",
    "etc.", "n.Chr.", "t.ex.", "m.in.", "EE.UU.", "M.Sc.", "Sig.ra Rossi", "Dott.ssa", "F.lli",
    "т.е.", "и т.д.", "π.χ.", "n.5", "tel.055",
    // Colons, and emoticons with a colon.
    "18:30", "Nota: questo", "haha:D", "boh:/", "ciao:)", "Anna:好的", "Sarah：ok",
    "Note：yes",
    // A full stop at the end of a sentence, without a space after it.
    "今天很好。明天见", "今天很好.明天见", "他在北京。中国很大", "はい。OKです", "그래.알았어", "好。See you",
  ]

  @Test(arguments: otherTexts)
  func `other texts are plain`(text: String) {
    #expect(PlainText.findings(in: text).isEmpty)
  }

  /// Words that look like a host name or a URL, mostly because the space after a punctuation mark
  /// is missing.
  @Test(arguments: [
    "ASP.NET", "Fatto.Me lo dici", "Dr.No", "@anna.rossi", "Ciao.Come stai", "end.Then", "node.js",
    "notes.txt", "21.Nov", "Nota:questo", "Re:ciao", "così:fai", "10@1.50", "1.2.3.4", "iPhone。OK",
    "1.250.300 persone",
  ])
  func `a text that could be a link counts as one`(text: String) {
    #expect(spansOf(text).count == 1)
  }

  static let known: [(text: String, input: String, isKnown: Bool)] = [
    ("333 1234567", "+39 333 1234567", true), ("+39 333 1234567", "333 1234567", true),
    ("333 123 4567", "3331234567", true), ("333 1234568", "+39 333 1234567", false),
    ("1234567", "+39 333 1234567", true), ("333 1234567 18.30", "333 1234567", true),
    ("1234567", "123456 and 7", false), ("evil.com", "evil.com", true),
    ("evil.com", "www.evil.com", true), ("evil.com/1234567", "1234567", false),
    ("+44 20 7946 0958", "+44 (0)20 7946 0958", true), ("020 7946 0958", "+44 20 7946 0958", true),
    ("+49 30 901820", "030/901820", true), ("1.250.001 pesi", "1,250,001 things", true),
    ("https://www.example.com/", "www.example.com", true),
    ("example.com", "https://example.com/path", true),
    ("example.com/other", "https://example.com/path", false),
    ("example.co", "https://example.com/path", false), ("ample.com", "example.com", false),
    ("example.com", "see EXAMPLE.com!", true), ("nothing", "", true),
  ]

  @Test(arguments: known)
  func `a number is known by its digits, with its prefix or without`(
    text: String,
    input: String,
    isKnown: Bool
  ) {
    let said = SaidText([input], kinds: Set(PlainText.Kind.allCases))
    #expect(PlainText.findings(in: text).allSatisfy(said.contains) == isKnown)
  }

  @Test(arguments: [
    "e\u{301}", "a.", ".", "1", "1/", "@", "a@b.", "://", "[", "www.", "1 ", "1.1 ", "12.30 ", "a:",
    "abc:/", "€", "中.", "。", "1 €", "8.", "𝐞.", "https",
  ])
  func `a very long text is checked quickly`(piece: String) {
    let text = String(repeating: piece, count: 20_000)
    let findings = PlainText.findings(in: text)
    let said = SaidText([text], kinds: Set(PlainText.Kind.allCases))
    #expect(findings.allSatisfy(said.contains))
  }
}
