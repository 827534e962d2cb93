extension FallbackReplies {
  static let polish = FallbackReplies(
    question: ["Tak, chyba tak.", "Jeszcze nie wiem.", "Dam znać później."],
    thanks: ["Nie ma za co!", "Cała przyjemność po mojej stronie!", "Żaden problem!"],
    greeting: ["Cześć!", "Cześć, co słychać?", "Cześć, co nowego?"],
    plan: ["Brzmi dobrze!", "Niestety nie mogę.", "Sprawdzę i potwierdzę."],
    other: ["Dobrze!", "Rozumiem."],
    cues: Cues(
      thanks: "dzięki, dziękuję",
      greeting: "cześć, hej, dzień dobry, dobry wieczór, siema",
      plan: "spotkamy, spotkajmy, chodźmy, idziemy, przyjdziesz"
    )
  )

  static let czech = FallbackReplies(
    question: ["Ano, myslím, že ano.", "Ještě nevím.", "Dám vědět později."],
    thanks: ["Není zač!", "Bylo mi potěšením!", "Žádný problém!"],
    greeting: ["Ahoj!", "Ahoj, jak to jde?", "Ahoj, co je nového?"],
    plan: ["To zní dobře!", "Bohužel nemůžu.", "Podívám se a potvrdím to."],
    other: ["Dobře!", "Rozumím."],
    cues: Cues(
      thanks: "díky, děkuju, děkuji",
      greeting: "ahoj, čau, dobrý den, dobré ráno",
      plan: "sejdeme, pojďme, půjdeme, přijdeš"
    )
  )

  static let slovak = FallbackReplies(
    question: ["Áno, myslím, že áno.", "Ešte neviem.", "Dám vedieť neskôr."],
    thanks: ["Niet za čo!", "Bolo mi potešením!", "Žiadny problém!"],
    greeting: ["Ahoj!", "Ahoj, ako to ide?", "Ahoj, čo je nové?"],
    plan: ["To znie dobre!", "Bohužiaľ nemôžem.", "Pozriem sa a potvrdím to."],
    other: ["Dobre!", "Rozumiem."],
    cues: Cues(
      thanks: "vďaka, ďakujem",
      greeting: "ahoj, čau, dobrý deň, dobré ráno",
      plan: "stretneme, poďme, pôjdeme, prídeš"
    )
  )

  static let croatian = FallbackReplies(
    question: ["Da, mislim da da.", "Još ne znam.", "Javit ću se kasnije."],
    thanks: ["Nema na čemu!", "Bilo mi je zadovoljstvo!", "Nema problema!"],
    greeting: ["Bok!", "Bok, kako ide?", "Bok, što ima novoga?"],
    plan: ["Zvuči dobro!", "Nažalost ne mogu.", "Provjerit ću i potvrditi."],
    other: ["U redu!", "Razumijem."],
    cues: Cues(
      thanks: "hvala",
      greeting: "bok, pozdrav, ćao, dobar dan, dobro jutro",
      plan: "nađemo, idemo, hajde, dolaziš"
    )
  )

  static let russian = FallbackReplies(
    question: ["Да, думаю, да.", "Пока не знаю.", "Отвечу позже."],
    thanks: ["Пожалуйста!", "Не за что!", "Без проблем!"],
    greeting: ["Привет!", "Привет, как дела?", "Привет, что нового?"],
    plan: ["Звучит хорошо!", "К сожалению, не могу.", "Проверю и подтвержу."],
    other: ["Хорошо!", "Понимаю."],
    cues: Cues(
      thanks: "спасибо, благодарю",
      greeting: "привет, здравствуй, здравствуйте, доброе утро, добрый день, добрый вечер",
      plan: "встретимся, давай, пойдём, пойдем, придёшь, придешь"
    )
  )

  static let ukrainian = FallbackReplies(
    question: ["Так, думаю, що так.", "Ще не знаю.", "Відповім пізніше."],
    thanks: ["Будь ласка!", "Немає за що!", "Без проблем!"],
    greeting: ["Привіт!", "Привіт, як справи?", "Привіт, що нового?"],
    plan: ["Звучить добре!", "На жаль, не можу.", "Перевірю і підтверджу."],
    other: ["Добре!", "Розумію."],
    cues: Cues(
      thanks: "дякую, спасибі",
      greeting: "привіт, вітаю, добрий день, доброго ранку",
      plan: "зустрінемось, зустрінемося, давай, ходімо, прийдеш"
    )
  )

  static let bulgarian = FallbackReplies(
    question: ["Да, мисля, че да.", "Още не знам.", "Ще отговоря по-късно."],
    thanks: ["Моля!", "За мен е удоволствие!", "Няма проблем!"],
    greeting: ["Привет!", "Привет, как върви?", "Привет, какво ново?"],
    plan: ["Звучи добре!", "За съжаление не мога.", "Ще проверя и ще потвърдя."],
    other: ["Добре!", "Разбирам."],
    cues: Cues(
      thanks: "благодаря, мерси",
      greeting: "привет, здравей, здравейте, здрасти, добро утро, добър ден",
      plan: "да се видим, хайде, идваш"
    )
  )
}
