/// The abbreviations with a full stop between letters and no space after it.
enum Abbreviations {
  /// Returns a Boolean value that indicates whether a run of `PlainText` is an abbreviation.
  ///
  /// - Parameter run: the run, including the punctuation at its ends. Without the final full stop,
  ///   some abbreviations would be host names.
  static func contains(_ run: [Unicode.Scalar]) -> Bool {
    guard run.count <= 12 else { return false }
    let text = PlainText.lowercased(run.prefix { $0.isOfWord || $0 == "." })
    return words.contains(String(String.UnicodeScalarView(text)))
      || words.contains(
        String(String.UnicodeScalarView(text.last == "." ? text.dropLast() : text[...]))
      )
  }

  private static let words = Set(
    """
    p.es. p.ex. p.ej. v.gr. p.eks. f.eks. t.ex. m.fl. m.in. n.chr. v.chr. z.hd. z.zt. b.sc. m.sc. ee.uu. \
    rr.hh. ff.aa. jj.oo. aa.vv. cc.aa. v.exa. sig.na. gent.ma. gent.mo. \
    sig.ra sig.ri dott.ssa prof.ssa d.ssa p.zza v.le spett.le f.lli fr.lli 1.er 3.er
    """.split(separator: " ").map(String.init)
  )
}
