import Core
import TestKit

/// Ordinary texts of models and translators. All of them are plain text.
enum HonestTexts {
  /// Sentences with the punctuation of each language, written for these tests.
  static let written = [
    // English
    "Sarah booked the table for 8:30 p.m., i.e. half past eight – not 9!",
    "It's a rock'n'roll thing… you know?",
    "He/she can bring a friend and/or pay 50% (that's $25.50).",
    "“Break a leg” means: good luck.",
    "The AT&T store, the R&B night and the Q&A are on 21/10/2025.",
    "Flight BA2490 lands at 23:55 in Terminal 5.",
    "She weighs 3.5 kg, i.e. 7.7 lb; he's 6'2\".",
    "COVID-19, H2O, CO₂, x² and ½ a cup.",
    "1 + 1 = 2, 5 < 6, 3 × 4 = 12",
    "The U.S.A. won 3-2 (yes!) 🎉🎉",
    "In the '90s rents were £1,250 a month – now it's £1,250,000.",
    ":) ;-) :D <3 :-P ^^",
    "PlayStation5, iPhone15Pro, WhatsApp, McDonald's, e-mail",
    "See you at 10-ish, rain or shine…and bring #1.",
    "Wait...what?! No way!!!",
    "Options:\n- yes\n- no\n1. maybe\n2) later",
    "That is C++ or C#, not F#.",
    "Model A4/A5, 24/7, km/h, w/o",
    "It was 5°C / 41°F at 6am & windy.",
    "He said: ‘I'm in’ — then left.",
    "~10 people, ±2; 90's music; 5 * 3",
    "G20, B2B, MP3, R2-D2, 3D",
    // Italian, Spanish, French, Portuguese, German
    "[P1] propone la cena alle 20.30, p.es. da Gino.",
    "È l'1.10.2025: l'affitto è di 1.250,50 € (IVA 22%).",
    "Sì/no? Boh… l'amico dell'anno!",
    "La Sig.ra Rossi e il Dott. Bianchi, S.p.A.",
    "Il 2° piano, la 3ª porta, il n. 5.",
    "Buongiorno! Come va?Bene!",
    "¿Qué tal? ¡Muy bien! Son las 18:45 h.",
    "Los EE.UU. y la U.E.; p.ej. el 1.º y la 2.ª vez.",
    "Cuesta $1.299,00 o 20 €.",
    "C'est-à-dire qu'il arrive à 20 h 30 ! Ça va ?",
    "« Ça marche », dit-il : 1 234,56 €.",
    "L'œuvre d'art n'est-elle pas là ?",
    "Às 8h30 já estou aí; R$ 1.500,00 é muito!",
    "Não-fumantes, por favor. O Sr. Silva chegou.",
    "z.B. um 19:30 Uhr, d.h. am 24.12.2026 (S. 5–7).",
    "Die 2-Zimmer-Wohnung kostet 1.250 €/Monat, inkl. 19 % MwSt.",
    "Straßenbahn-Haltestelle „Süd“, u.a. Gleis 7a",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    // Dutch, Nordic, Finnish, Catalan
    "M.b.t. de foto's: 's avonds om 20.00 u. a.u.b.",
    "Bl.a. f.eks. kl. 18.30, t.ex. d.v.s. o.s.v.",
    "EU:n ja USA:ssa, TV:n ääressä klo 18.30.",
    "La col·lecció és a Gal·les.",
    "Þetta er ekki satt, er það?",
    // Slavic
    "Встречаемся в 18:30, т.е. через 15 мин., у метро «Киевская».",
    "А.С.Пушкин и др., 1 500 ₽, т.к. скидка 15 %.",
    "Он сказал: «Да!» – и ушёл. И т.д., и т.п.",
    "M.in. o godz. 18.30, np. w sobotę; kosztuje 49,99 zł.",
    "Např. v 18.30 h, tzn. ve středu; 5 Kč.",
    "Зустріч о 18:00, так? П'ятниця!",
    "Тоест в 18:30 ч., нали?",
    // Greek, Turkish, Hungarian, Romanian, Vietnamese, Indonesian
    "Τι κάνεις; π.χ. στις 18:30· όλα καλά;",
    "%20 indirim var, saat 18.30'da, İstanbul'da!",
    "Kb. 5 perc, ill. 18.30-kor; a Wi-Fi-n.",
    "Într-adevăr, la ora 18:30, ș.a.m.d.",
    "Tối nay 18h30 nhé, được không? Đẹp quá!",
    "Jam 18.30 WIB, buku-buku itu Rp 25.000.",
    // Arabic, Persian, Urdu, Hebrew
    "نلتقي الساعة ٨:٣٠ مساءً، أليس كذلك؟",
    "د.أحمد قال: «نعم»؛ خصم 20٪.",
    "السعر ١٬٢٥٠٫٥٠ ريال – غالي!",
    "صلى الله عليه وسلم ﷺ",
    "می‌خواهم بروم؛ خانه‌ها بزرگ‌اند، نه؟",
    "کتاب‌های من ۳٫۵ کیلو است.",
    "میں ٹھیک ہوں۔آپ کیسے ہیں؟",
    "نفرت نہیں ہے۔ شکریہ!",
    "ניפגש ב-15:00, בסדר? צה״ל, ג׳ירפה וה-WhatsApp.",
    "הWhatsApp שלי לא עובד (שוב)!",
    // Indic
    "कल ६:३० बजे मिलते हैं। ठीक है?",
    "इसकी कीमत ₹1,25,000 है – क़रीब।",
    "डॉ. शर्मा ने कहा: “हाँ”।",
    "क्‍ष और र्‍य",
    "আমি ভালো আছি। তুমি?",
    "நான் நலம்; நீ எப்படி?",
    "మీరు ఎలా ఉన్నారు?",
    "ਮੈਂ ਠੀਕ ਹਾਂ।",
    "നീ എവിടെ? അവന്‍",
    "ખૂબ સરસ!",
    // South-eastern Asia
    "เจอกันตอน 18.30 น. นะ ดีๆ ทำไม?",
    "ราคา ๑,๒๕๐ บาท ฯลฯ",
    "ສະບາຍດີ ເຈົ້າສະບາຍດີບໍ?",
    "សួស្តី។ តើអ្នកសុខសប្បាយទេ?",
    "မင်္ဂလာပါ။ နေကောင်းလား။",
    // Chinese
    "明天见。八点半在北京站，好吗？",
    "他说OK了。Tom也同意。",
    "价格是¥299.00（打8折），太贵了！",
    "“在我看来”——他说：《红楼梦》很好……",
    "用Wi-Fi、APP或PDF都行；50%以上。",
    "列奥纳多·迪卡普里奥很帅~",
    "J.K.罗琳写的。",
    "第1名，第2名、第3名",
    "我有3只猫🐱，很可爱。你呢？",
    "2025年10月21日18:30见",
    "好的~没问题！",
    "今天好。明天也好。",
    "圖書館在台灣。謝謝您！",
    // Japanese
    "明日３時に会おう。大丈夫？",
    "「はい」と言った。でも…本当？",
    "Tシャツは3,500円（税込）です。",
    "ジョン・レノンの『イマジン』〜すごい！",
    "10:30に2番ホームで。OKです。",
    "ｶﾞﾝﾊﾞｯﾃ！笑",
    "コーヒー、いかがですか？はい！",
    "人々は時々「々」を使う。〇か×か。",
    "35℃だって。暑すぎる💦",
    "えっ！？まじで‼",
    // Korean
    "내일 7시에 만나자~ ㅋㅋㅋ ㅠㅠ",
    "가격은 ₩15,000이야. 너무 비싸!",
    "Apple Inc.는 크다. 그래.알았어",
    "오후 3:30~4:30, 2층(왼쪽)",
    "네, 알겠습니다. 감사합니다 :)",
    "BTS의 ‘봄날’은 최고예요!",
    "U.S.에서 왔어요.",
    // Emoji
    "👩‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍⚕️ ❤️‍🔥 1️⃣ ©️ ™️ ℹ️ Ⓜ️ 🅰️ 🆗 ㊗️ 🈁",
    "OK👍bene😀!",
    "Ciao😊Come va?",
    "🇮🇹🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☎️ ✈️ → ✓ ★ ♥ ♪",
  ]

  /// Returns the texts of the evaluation's tables, of the phrasebook, and of the fallback replies.
  static func stored() throws -> [String] {
    var texts: [String] = []
    for name in ["translations", "languages", "languages-held-out", "culture", "culture-held-out"] {
      for row in try Repository.evaluation(name) {
        // In `translations`, six columns are texts. In the other tables, only the last column is.
        texts += row.suffix(name == "translations" ? 6 : 1)
      }
    }
    let folder = "emulator/ProviderFakes/Translation"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.folder)/\(folder)"
    )
    for name in names where name.hasPrefix("Phrasebook+") {
      let lines = try Repository.text("\(folder)/\(name)").split(separator: "\n")
      for line in lines where !line.contains("//") {
        let columns = line.split(separator: " | ").map(String.init)
        if columns.count == 6 { texts += columns.map { $0.replacing("#", with: "5") } }
      }
    }
    return texts
  }
}
