/// What people write with a dot between letters and no space behind it.
enum Abbreviations {
  /// - Parameters:
  ///   - word: in lower case, without the dot at its end.
  ///   - endsWithDot: whether one follows it. Some would be hosts without.
  static func contains(_ word: String, endsWithDot: Bool) -> Bool {
    words.contains(word) || endsWithDot && words.contains(word + ".")
  }

  private static let words = Set(
    """
    p.es. p.ex. p.ej. v.gr. p.eks. t.ex. m.fl. m.in. n.chr. v.chr. z.hd. z.zt. b.sc. m.sc. ee.uu. \
    rr.hh. ff.aa. jj.oo. aa.vv. cc.aa. v.exa. sig.na. gent.ma. gent.mo. \
    sig.ra sig.ri dott.ssa prof.ssa d.ssa p.zza v.le spett.le f.lli fr.lli 1.er 3.er
    """.split(separator: " ").map(String.init)
  )
}
