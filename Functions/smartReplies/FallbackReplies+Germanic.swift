extension FallbackReplies {
  static let english = FallbackReplies(
    question: ["Yes, I think so.", "I don't know yet.", "I'll get back to you later."],
    thanks: ["You're welcome!", "My pleasure!", "No problem!"],
    greeting: ["Hello!", "Hi, how's it going?", "Hi, what's new?"],
    plan: ["Sounds good!", "Unfortunately I can't.", "I'll check and confirm."],
    other: ["Okay!", "I understand."],
    cues: Cues(
      thanks: "thanks, thank you, thx, cheers",
      greeting: "hi, hello, hey, good morning, good evening",
      plan:
        "let's, shall we, do you want to, want to come, want to go, wanna, can we meet, join us, come over"
    )
  )

  static let german = FallbackReplies(
    question: ["Ja, ich denke schon.", "Das weiß ich noch nicht.", "Ich melde mich später."],
    thanks: ["Gern geschehen!", "War mir ein Vergnügen!", "Kein Problem!"],
    greeting: ["Hallo!", "Hallo, wie geht's?", "Hallo, was gibt's Neues?"],
    plan: ["Klingt gut!", "Leider kann ich nicht.", "Ich schaue nach und gebe Bescheid."],
    other: ["Okay!", "Ich verstehe."],
    cues: Cues(
      thanks: "danke, vielen dank, dankeschön",
      greeting: "hallo, hi, hey, guten morgen, guten tag, guten abend, moin, servus",
      plan: "wollen wir, sollen wir, lass uns, hast du lust, habt ihr lust, treffen wir uns"
    )
  )

  static let dutch = FallbackReplies(
    question: ["Ja, ik denk het wel.", "Dat weet ik nog niet.", "Ik kom er later op terug."],
    thanks: ["Graag gedaan!", "Met plezier!", "Geen probleem!"],
    greeting: ["Hallo!", "Hoi, hoe gaat het?", "Hoi, is er nog nieuws?"],
    plan: ["Klinkt goed!", "Helaas kan ik niet.", "Ik kijk het na en bevestig het."],
    other: ["Oké!", "Ik begrijp het."],
    cues: Cues(
      thanks: "bedankt, dank, dankjewel",
      greeting: "hallo, hoi, hé, goedemorgen, goedenavond",
      plan: "zullen we, laten we, afspreken, kom je, heb je zin"
    )
  )

  static let swedish = FallbackReplies(
    question: ["Ja, jag tror det.", "Det vet jag inte än.", "Jag återkommer senare."],
    thanks: ["Varsågod!", "Det var ett nöje!", "Inga problem!"],
    greeting: ["Hej!", "Hej, hur är läget?", "Hej, något nytt?"],
    plan: ["Låter bra!", "Tyvärr kan jag inte.", "Jag kollar och bekräftar."],
    other: ["Okej!", "Jag förstår."],
    cues: Cues(
      thanks: "tack",
      greeting: "hej, hallå, god morgon, god kväll",
      plan: "ska vi, vill du, kommer du"
    )
  )

  static let danish = FallbackReplies(
    question: ["Ja, det tror jeg.", "Det ved jeg ikke endnu.", "Jeg vender tilbage senere."],
    thanks: ["Selv tak!", "Det var en fornøjelse!", "Det var så lidt!"],
    greeting: ["Hej!", "Hej, hvordan går det?", "Hej, noget nyt?"],
    plan: ["Det lyder godt!", "Desværre kan jeg ikke.", "Jeg tjekker og bekræfter."],
    other: ["Okay!", "Jeg forstår."],
    cues: Cues(
      thanks: "tak",
      greeting: "hej, hallo, godmorgen, goddag, godaften",
      plan: "skal vi, vil du, kommer du"
    )
  )

  static let norwegian = FallbackReplies(
    question: ["Ja, jeg tror det.", "Det vet jeg ikke ennå.", "Jeg svarer senere."],
    thanks: ["Bare hyggelig!", "Det var en fornøyelse!", "Ikke noe problem!"],
    greeting: ["Hei!", "Hei, hvordan går det?", "Hei, noe nytt?"],
    plan: ["Det høres bra ut!", "Dessverre kan jeg ikke.", "Jeg sjekker og bekrefter."],
    other: ["Greit!", "Jeg forstår."],
    cues: Cues(
      thanks: "takk",
      greeting: "hei, hallo, god morgen, god kveld",
      plan: "skal vi, vil du, kommer du"
    )
  )
}
