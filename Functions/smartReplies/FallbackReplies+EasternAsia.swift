extension FallbackReplies {
  static let japanese = FallbackReplies(
    question: ["はい、そう思います。", "まだわかりません。", "後で返信します。"],
    thanks: ["どういたしまして！", "お役に立ててうれしいです！", "問題ありません！"],
    greeting: ["こんにちは！", "こんにちは、調子はどうですか？", "こんにちは、何か変わったことはありますか？"],
    plan: ["いいですね！", "残念ながら都合がつきません。", "確認して返事します。"],
    other: ["了解です！", "わかりました。"],
    cues: Cues(
      thanks: "ありがとう, 感謝",
      greeting: "こんにちは, おはよう, こんばんは, やあ",
      plan: "会おう, 行こう, 会いましょう, 行きましょう, 会いませんか, 行きませんか, しませんか",
      areWithinWords: true
    )
  )

  static let korean = FallbackReplies(
    question: ["네, 그런 것 같아요.", "아직 모르겠어요.", "나중에 답할게요."],
    thanks: ["천만에요!", "도움이 되어 기뻐요!", "괜찮아요!"],
    greeting: ["안녕하세요!", "안녕하세요, 잘 지내세요?", "안녕하세요, 별일 없으세요?"],
    plan: ["좋아요!", "아쉽지만 안 돼요.", "확인하고 알려 드릴게요."],
    other: ["네, 알겠어요!", "이해했어요."],
    cues: Cues(
      thanks: "고마워, 고맙, 감사",
      greeting: "안녕, 여보세요",
      plan: "만나자, 만날까, 만나요, 가자, 갈래, 갈까",
      areWithinWords: true
    )
  )

  static let simplifiedChinese = FallbackReplies(
    question: ["嗯，我觉得是。", "我还不知道。", "我晚点回复。"],
    thanks: ["不客气！", "很乐意！", "没问题！"],
    greeting: ["你好！", "你好，最近怎么样？", "你好，有什么新鲜事吗？"],
    plan: ["听起来不错！", "可惜我不行。", "我看一下再确认。"],
    other: ["好的！", "我明白了。"],
    cues: Cues(
      thanks: "谢谢, 多谢, 感谢",
      greeting: "你好, 您好, 早上好, 晚上好",
      plan: "要不要, 我们去, 一起去, 一起吃",
      areWithinWords: true
    )
  )

  static let traditionalChinese = FallbackReplies(
    question: ["嗯，我覺得是。", "我還不知道。", "我晚點回覆。"],
    thanks: ["不客氣！", "很樂意！", "沒問題！"],
    greeting: ["你好！", "你好，最近怎麼樣？", "你好，有什麼新鮮事嗎？"],
    plan: ["聽起來不錯！", "可惜我不行。", "我看一下再確認。"],
    other: ["好的！", "我明白了。"],
    cues: Cues(
      thanks: "謝謝, 多謝, 感謝",
      greeting: "你好, 您好, 早安",
      plan: "要不要, 我們去, 一起去, 一起吃",
      areWithinWords: true
    )
  )

  static let indonesian = FallbackReplies(
    question: ["Ya, sepertinya begitu.", "Saya belum tahu.", "Nanti saya kabari."],
    thanks: ["Sama-sama!", "Dengan senang hati!", "Tidak masalah!"],
    greeting: ["Halo!", "Halo, apa kabar?", "Halo, ada berita baru?"],
    plan: [
      "Kedengarannya bagus!",
      "Sayangnya saya tidak bisa.",
      "Saya cek dulu, nanti saya konfirmasi.",
    ],
    other: ["Baik!", "Saya mengerti."],
    cues: Cues(
      thanks: "terima kasih, makasih",
      greeting: "halo, hai, selamat pagi, selamat malam",
      plan: "ayo, yuk, mau ikut"
    )
  )

  static let vietnamese = FallbackReplies(
    question: ["Vâng, tôi nghĩ vậy.", "Tôi chưa biết.", "Tôi sẽ trả lời sau."],
    thanks: ["Không có gì!", "Rất sẵn lòng!", "Không vấn đề gì!"],
    greeting: ["Xin chào!", "Xin chào, dạo này thế nào?", "Xin chào, có gì mới không?"],
    plan: ["Nghe hay đấy!", "Tiếc là tôi không thể.", "Tôi sẽ kiểm tra rồi xác nhận."],
    other: ["Được rồi!", "Tôi hiểu rồi."],
    cues: Cues(
      thanks: "cảm ơn, cám ơn",
      greeting: "chào, xin chào",
      plan: "gặp nhau, đi ăn, đi chơi"
    )
  )

  static let thai = FallbackReplies(
    question: ["ใช่ คิดว่าอย่างนั้น", "ยังไม่รู้", "เดี๋ยวตอบทีหลังนะ"],
    thanks: ["ยินดี!", "ด้วยความเต็มใจ!", "ไม่เป็นไร!"],
    greeting: ["สวัสดี!", "สวัสดี เป็นยังไงบ้าง", "สวัสดี มีอะไรใหม่บ้าง"],
    plan: ["ฟังดูดี!", "น่าเสียดาย ไปไม่ได้", "ขอเช็กก่อนแล้วจะยืนยันนะ"],
    other: ["โอเค!", "เข้าใจแล้ว"],
    cues: Cues(
      thanks: "ขอบคุณ",
      greeting: "สวัสดี, หวัดดี",
      plan: "ไปด้วยกัน, ไปกัน",
      areWithinWords: true
    )
  )
}
