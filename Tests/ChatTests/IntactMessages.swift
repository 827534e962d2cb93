/// Messages written for these tests. ⟪ and ⟫ enclose the spans that a translation must keep.
enum IntactMessages {
  static let all = european + slavicAndAsian + rightToLeftAndHindi + hostile

  /// Removes the marks ⟪ and ⟫ from a message, and extracts the spans between them.
  ///
  /// - Returns: the text without ⟪ and ⟫, and the enclosed spans in order.
  static func read(_ marked: String) -> (text: String, spans: [String]) {
    var spans: [String] = []
    for part in marked.split(separator: "⟪", omittingEmptySubsequences: false).dropFirst() {
      spans.append(String(part.prefix { $0 != "⟫" }))
    }
    return (marked.filter { $0 != "⟪" && $0 != "⟫" }, spans)
  }

  static let european = english + italian + spanish + french + german + portuguese

  static let english = [
    "See you at ⟪10:30⟫ in front of the station",
    "The tickets are ⟪€ 1,250.50⟫ each, can you believe it?",
    "Look at this: ⟪https://example.com/a?b=c&d=e#f⟫",
    "I wrote to ⟪sarah.jones+chat@mail.example.co.uk⟫ yesterday.",
    "⟪@marco⟫ are you coming? ⟪@sarah_92⟫ is already here",
    "We won ⟪3-2⟫ ⟪🎉🎉⟫ what a match ⟪#worldcup⟫",
    "Run ⟪`git push --force`⟫ and pray",
    "Call me on ⟪+44 20 7946 0958⟫ after ⟪6pm⟫",
    "My flight ⟪BA2490⟫ lands at ⟪23:55⟫ on ⟪2026-01-05⟫",
    "It is ⟪-3.5 °C⟫ outside ⟪🥶⟫ take a coat",
    "First line\nsecond line with ⟪42⟫\n\nfourth line",
    "I have ⟪2⟫ cats and ⟪2⟫ dogs",
    "The family ⟪👨‍👩‍👧‍👦⟫ is coming, even ⟪👩🏽‍🚀⟫ from ⟪🇮🇹⟫",
    "Version ⟪v2.1.3⟫ is out, it needs ⟪4GB⟫ and saves ⟪20%⟫",
    "Is ⟪www.example.org/path_(with)_brackets⟫ (see ⟪example.net⟫) down?",
  ]

  static let italian = [
    "Ci vediamo alle ⟪20:15⟫ al solito posto ⟪🍕⟫",
    "Il treno costa ⟪35,90 €⟫ ma con lo sconto del ⟪15%⟫ va bene",
    "Guarda ⟪https://it.wikipedia.org/wiki/Città_del_Vaticano⟫, è bello",
    "Scrivi a ⟪anna@esempio.it⟫ oppure chiama lo ⟪06 1234567⟫",
    "⟪@Luca⟫ porta ⟪2 kg⟫ di pane e ⟪500 g⟫ di farina",
    "Ho corso ⟪10 km⟫ in ⟪52⟫ minuti ⟪💪🏻⟫ sono distrutto",
    "Sono nato il ⟪12/05/1990⟫ a Roma",
    "Ti amo ⟪❤️⟫ tanto ⟪😘⟫ davvero",
    "Lancia ⟪`make test`⟫ e poi dimmi",
    "Il ⟪2⟫ giugno è festa\r\nil ⟪3⟫ si lavora",
    "L'IBAN è ⟪IT60X0542811101000000123456⟫, non sbagliare",
    "⟪#vacanze⟫ finite, si torna ⟪😭⟫ al lavoro",
    "Arrivo tra ⟪5 min⟫, aspettami al binario ⟪7⟫",
    "Che ne dici di ⟪https://maps.example.com/?q=41.9,12.5⟫ per cena?",
  ]

  static let spanish = [
    "¿Quedamos a las ⟪18:45⟫ en la plaza?",
    "Cuesta ⟪$1.299,00⟫ con envío, ¡qué caro!",
    "Mira ⟪http://ejemplo.es/noticia-1⟫ antes de hablar",
    "Mi correo es ⟪jose_m@correo.example.com⟫, escríbeme",
    "⟪@maria⟫ ya salió, llega en ⟪20⟫ minutos ⟪🚗⟫ creo",
    "El código es ⟪`ABC-123`⟫, no lo pierdas",
    "Mi número nuevo: ⟪+34 612 34 56 78⟫",
    "Feliz ⟪2026⟫ a todos ⟪🥳🎆⟫ os quiero",
    "Han subido un ⟪3,5 %⟫ los precios",
    "Viva ⟪🇪🇸⟫ y viva ⟪🇲🇽⟫ también",
    "Son ⟪100⟫ o ⟪200⟫ personas, no sé",
    "¡⟪#FelizLunes⟫ para todos!",
    "Uno\n⟪2⟫ dos\n\n\n⟪3⟫ tres",
    "El vuelo ⟪IB3166⟫ sale de la puerta ⟪J42⟫",
  ]

  static let french = [
    "On se retrouve à ⟪20 h 30⟫ devant le ciné ?",
    "Ça fait ⟪1 234,56 €⟫ au total",
    "Regarde ⟪https://exemple.fr/été?x=1⟫ !",
    "Écris-moi : ⟪claire-dupont@exemple.fr⟫",
    "⟪@julien⟫ tu peux amener ⟪3⟫ chaises ?",
    "J'habite au ⟪12⟫ rue de la Paix, ⟪75002⟫ Paris",
    "Appelle le ⟪01 23 45 67 89⟫ avant midi",
    "Il fait ⟪30°C⟫ à l'ombre ⟪☀️⟫ quelle chaleur",
    "Tape ⟪`ls -la`⟫ dans le terminal",
    "Trop bien ⟪😂😂😂⟫ j'adore ⟪#apéro⟫ ce soir",
    "Rendez-vous le ⟪14/07/2026⟫\nà ⟪9⟫ heures",
    "Il est arrivé ⟪2ème⟫ sur ⟪350⟫",
    "La ⟪B2B⟫ c'est pas pour moi",
    "Il reste ⟪5⟫ places, on est ⟪6⟫ !",
  ]

  static let german = [
    "Treffen wir uns um ⟪19:30⟫ Uhr am Bahnhof?",
    "Das macht ⟪49,99 €⟫ inklusive ⟪19 %⟫ Steuer",
    "Schau mal: ⟪https://beispiel.de/straße/größe⟫",
    "Meine Adresse ist ⟪max.muster@beispiel.de⟫.",
    "⟪@Jürgen⟫ hat ⟪2⟫ Karten für ⟪#Oktoberfest⟫ besorgt",
    "Der Zug ICE ⟪1234⟫ hat ⟪45⟫ Minuten Verspätung ⟪🙄⟫ schon wieder",
    "Ruf ⟪(030) 123456⟫ an und frag",
    "Starte ⟪`npm run build`⟫ neu",
    "Ich bin ⟪1,85 m⟫ groß und wiege ⟪80 kg⟫",
    "Am ⟪24.12.2026⟫ feiern wir ⟪🎄🎁⟫ zusammen",
    "Zeile eins\n\tZeile ⟪2⟫ eingerückt\n",
    "Mit ⟪130 km/h⟫ auf der Autobahn ⟪A7⟫",
    "Passwort: ⟪`hunter2`⟫ bitte nicht weitersagen",
    "Nur ⟪1⟫ Bier, versprochen ⟪🍺⟫ wirklich",
  ]

  static let portuguese = [
    "A gente se vê às ⟪21:00⟫ na praia",
    "Paguei ⟪R$ 1.500,00⟫ no aluguel",
    "Olha isso ⟪https://exemplo.com.br/página⟫ que legal",
    "Manda para ⟪joao@exemplo.com.br⟫ por favor",
    "⟪@ana.clara⟫ trouxe ⟪12⟫ cervejas ⟪🍻⟫ geladas",
    "Meu zap é ⟪+55 (11) 91234-5678⟫ me chama",
    "Fiz ⟪30⟫ anos ontem ⟪🎂⟫ obrigado a todos",
    "São ⟪8h30⟫ ainda, calma",
    "Digita ⟪`sudo reboot`⟫ e espera",
    "⟪#sextou⟫ galera ⟪🥂⟫ bora",
    "Corri ⟪5,2 km⟫ hoje",
    "O ônibus ⟪474⟫ passa às ⟪7:05⟫",
    "Faltam ⟪3⟫ dias\ne ⟪4⟫ horas",
    "Desconto de ⟪50%⟫ só hoje ⟪‼️⟫ corre",
  ]

  static let slavicAndAsian = russian + japanese + chinese + korean

  static let russian = [
    "Встречаемся в ⟪18:00⟫ у метро",
    "Это стоит ⟪1 500 ₽⟫, дорого",
    "Смотри ⟪https://пример.рф/страница⟫ скорее",
    "Пиши на ⟪ivan.petrov@primer.ru⟫ завтра",
    "⟪@олег⟫ купи ⟪2 kg⟫ картошки",
    "У меня ⟪5⟫ яблок и ⟪3⟫ груши",
    "Мой номер ⟪+7 (912) 345-67-89⟫ запиши",
    "С днём рождения ⟪🎉🎂⟫ дорогая ⟪❤️⟫ моя",
    "Запусти ⟪`docker ps`⟫ и пришли",
    "На улице ⟪-25 °C⟫ а я без шапки",
    "Поезд ⟪№ 42⟫ с пути ⟪3⟫",
    "Скидка ⟪15 %⟫ до ⟪31.12.2026⟫ включительно",
    "Первая строка\nвторая ⟪#строка⟫ тут",
    "Буду через ⟪15⟫ минут ⟪🏃‍♂️⟫ жди",
  ]

  static let japanese = [
    "明日⟪3⟫時に会おう",
    "チケットは⟪¥3,500⟫です",
    "これ見て ⟪https://example.jp/記事/1⟫ すごい",
    "メールは ⟪tanaka@example.co.jp⟫ です",
    "⟪@田中⟫ もう着いた？",
    "誕生日おめでとう⟪🎂🎉⟫また会おうね",
    "電話は⟪03-1234-5678⟫にお願いします",
    "気温は⟪35℃⟫だって⟪🥵⟫暑すぎる",
    "⟪`make run`⟫を実行してください",
    "⟪10:30⟫に⟪2⟫番ホームで",
    "今日は⟪#花見⟫ に行きます",
    "第一に。第二に⟪2⟫個。\n第三に",
    "⟪10%⟫オフです。⟪500⟫円！",
    "https は書かないで、⟪www.example.com⟫を見て",
  ]

  static let chinese = [
    "明天⟪8:30⟫在地铁站见",
    "这个要⟪¥299.00⟫，太贵了",
    "看看这个 ⟪https://example.cn/新闻?id=5⟫ 吧",
    "我的邮箱是⟪wang@example.cn⟫，写给我",
    "⟪@小明⟫ 你来吗？",
    "我有⟪3⟫只猫⟪🐱🐱🐱⟫很可爱",
    "电话：⟪138-0013-8000⟫，随时打",
    "生日快乐⟪🎂⟫，祝你⟪18⟫岁快乐",
    "先运行⟪`brew install`⟫再说",
    "打⟪8⟫折，只要⟪100⟫元",
    "气温⟪-5°C⟫，多穿点",
    "⟪#周末⟫ 去哪里玩？",
    "第一行\n第二行⟪2⟫\n第三行",
    "航班⟪CA981⟫晚点了⟪😤⟫真烦",
  ]

  static let korean = [
    "내일 ⟪7⟫시에 만나자",
    "가격은 ⟪₩15,000⟫이야 너무 비싸",
    "이거 봐 ⟪https://example.kr/뉴스⟫ 대박",
    "메일은 ⟪kim@example.co.kr⟫ 이야",
    "⟪@민수⟫ 어디야?",
    "생일 축하해 ⟪🎂🎈⟫ 사랑해",
    "전화 ⟪010-1234-5678⟫ 로 해줘",
    "⟪3⟫명이 ⟪2⟫대로 가요",
    "⟪`swift build`⟫ 먼저 해봐",
    "오늘 ⟪32°C⟫ 래 ⟪🥵⟫ 더워",
    "⟪#불금⟫ 이다 놀자",
    "기차 ⟪KTX101⟫ 은 ⟪14:20⟫ 출발",
    "첫째 줄\n둘째 줄 ⟪50%⟫ 할인",
    "⟪5 km⟫ 뛰었어 ⟪🏃🏻‍♀️⟫ 힘들다",
  ]

  static let rightToLeftAndHindi = arabic + hindi

  static let arabic = [
    "نلتقي الساعة ⟪8:30⟫ أمام المحطة",
    "السعر ⟪٣٥٠⟫ ريال فقط",
    "انظر ⟪https://example.com/ar/خبر⟫ هذا مهم",
    "راسلني على ⟪ahmed@example.com⟫ غدا",
    "⟪@أحمد⟫ أين أنت؟",
    "عندي ⟪5⟫ كتب و⟪3⟫ أقلام",
    "رقمي ⟪+966 50 123 4567⟫ اتصل بي",
    "مبروك ⟪🎉🎉⟫ يا صديقي",
    "خصم ⟪20٪⟫ حتى ⟪2026/12/31⟫ فقط",
    "شغل ⟪`ls`⟫ ثم أخبرني",
    "⟪#عيد_مبارك⟫ للجميع",
    "السطر الأول\nالسطر ⟪2⟫ هنا",
    "الحرارة ⟪45°⟫ اليوم ⟪🔥⟫ شديدة",
    "\u{202B}رحلة ⟪SV1020⟫ تأخرت\u{202C} كثيرا",
  ]

  static let hindi = [
    "कल ⟪6:30⟫ बजे मिलते हैं",
    "इसकी कीमत ⟪₹1,25,000⟫ है",
    "यह देखो ⟪https://example.in/खबर⟫ बहुत अच्छा",
    "मुझे ⟪priya@example.in⟫ पर लिखो",
    "⟪@राहुल⟫ कहाँ हो?",
    "मेरे पास ⟪२⟫ किताबें और ⟪5⟫ कलम हैं",
    "मेरा नंबर ⟪+91 98765 43210⟫ है",
    "जन्मदिन मुबारक ⟪🎂🥳⟫ दोस्त",
    "पहले ⟪`npm i`⟫ चलाओ",
    "⟪#दिवाली⟫ की शुभकामनाएँ ⟪🪔⟫ सबको",
    "ट्रेन ⟪12951⟫ प्लेटफ़ॉर्म ⟪3⟫ पर है",
    "पहली पंक्ति।\nदूसरी ⟪50%⟫ पंक्ति।",
    "आज ⟪42°C⟫ है ⟪🥵⟫ बहुत गर्मी",
    "⟪10⟫ मिनट में आता हूँ",
  ]
}
