/// A ruleset's text by its Unicode scalars, in which positions count.
struct SourceText {
  let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  subscript(offset: Int) -> Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  subscript(range: SourceRange) -> String {
    guard range.start <= range.end, range.end < scalars.count else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range.start...range.end])
    return String(text)
  }
}
