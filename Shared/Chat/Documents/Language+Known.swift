extension Language {
  /// A map from other codes for a language to its canonical code.
  ///
  /// Java and Android use `in`, `iw` and `ji`; Apple uses `nb`.
  static let aliases = [
    "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "nb": "no", "tl": "fil",
  ]

  /// The canonical base codes of the languages that Google Cloud Translation's NMT model supports.
  ///
  /// Source: cloud.google.com/translate/docs/languages.
  static let knownBases = Set(
    """
    ab ace ach af ak alz am ar as awa ay az
    ba ban bbc be bem bew bg bho bik bm bn br bs bts btx bua
    ca ceb cgg chm ckb cnh co crh crs cs cv cy
    da de din doi dov dv dz
    ee el en eo es et eu
    fa ff fi fil fj fr fy
    ga gaa gd gl gn gom gu
    ha haw he hi hil hmn hr hrx ht hu hy
    id ig ilo is it
    ja jv
    ka kk km kn ko kri ktu ku ky
    la lb lg li lij lmo ln lo lt ltg luo lus lv
    mai mak mg mi min mk ml mn mni mr ms mt my
    ne new nl no nr nso nus ny
    oc om or
    pa pag pam pap pl ps pt
    qu
    rn ro rom ru rw
    sa scn sd sg shn si sk sl sm sn so sq sr ss st su sv sw szl
    ta te tet tg th ti tk tn tr ts tt
    ug uk ur uz
    vi
    xh
    yi yo yua yue
    zh zu
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )
}
