extension FallbackReplies {
  static let hungarian = FallbackReplies(
    question: ["Igen, azt hiszem.", "Még nem tudom.", "Később válaszolok."],
    thanks: ["Szívesen!", "Örömömre szolgált!", "Semmi gond!"],
    greeting: ["Szia!", "Szia, hogy vagy?", "Szia, mi újság?"],
    plan: ["Jól hangzik!", "Sajnos nem tudok.", "Megnézem, és visszajelzek."],
    other: ["Rendben!", "Értem."],
    cues: Cues(
      thanks: "köszi, köszönöm, kösz",
      greeting: "szia, sziasztok, helló, jó reggelt, jó napot",
      plan: "találkozzunk, menjünk, gyere, jössz"
    )
  )

  static let finnish = FallbackReplies(
    question: ["Kyllä, luulen niin.", "En tiedä vielä.", "Palaan asiaan myöhemmin."],
    thanks: ["Eipä kestä!", "Mielelläni!", "Ei mitään ongelmaa!"],
    greeting: ["Hei!", "Hei, miten menee?", "Hei, mitä uutta?"],
    plan: ["Kuulostaa hyvältä!", "Valitettavasti en pääse.", "Tarkistan ja vahvistan."],
    other: ["Selvä!", "Ymmärrän."],
    cues: Cues(
      thanks: "kiitos, kiitti",
      greeting: "hei, moi, terve, huomenta",
      plan: "tavataan, mennäänkö, lähdetkö, tuletko"
    )
  )

  static let turkish = FallbackReplies(
    question: ["Evet, sanırım öyle.", "Henüz bilmiyorum.", "Daha sonra haber veririm."],
    thanks: ["Rica ederim!", "Benim için zevkti!", "Sorun değil!"],
    greeting: ["Merhaba!", "Merhaba, nasıl gidiyor?", "Merhaba, ne var ne yok?"],
    plan: ["Kulağa hoş geliyor!", "Maalesef uygun değilim.", "Kontrol edip haber veririm."],
    other: ["Tamam!", "Anlıyorum."],
    cues: Cues(
      thanks: "teşekkürler, teşekkür ederim, sağ ol, sağol",
      greeting: "merhaba, selam, günaydın, iyi akşamlar",
      plan: "buluşalım, görüşelim, gidelim, gelir misin"
    )
  )

  static let greek = FallbackReplies(
    question: ["Ναι, έτσι νομίζω.", "Δεν ξέρω ακόμα.", "Θα απαντήσω αργότερα."],
    thanks: ["Παρακαλώ!", "Ευχαρίστησή μου!", "Κανένα πρόβλημα!"],
    greeting: ["Γεια!", "Γεια, πώς πάει;", "Γεια, τι νέα;"],
    plan: ["Ακούγεται καλό!", "Δυστυχώς δεν μπορώ.", "Θα το δω και θα επιβεβαιώσω."],
    other: ["Εντάξει!", "Καταλαβαίνω."],
    cues: Cues(
      thanks: "ευχαριστώ",
      greeting: "γεια, καλημέρα, καλησπέρα",
      plan: "πάμε, συναντηθούμε, έρχεσαι, βρεθούμε"
    )
  )
}
