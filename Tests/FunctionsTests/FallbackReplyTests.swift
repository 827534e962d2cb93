import Chat
import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import smartReplies

struct FallbackReplyTests {
  /// Returns the plan for replies of a member with one language to a member with another language.
  private func plan(_ own: String, _ other: String, _ intent: MessageIntent) throws -> ReplyPlan {
    let view = MemberView(
      uid: "me",
      conversation: try Conversation(
        ChatDocuments.conversation(["participants": ["me", "you"]])
      ),
      messages: [
        Message(try ChatDocuments.message(["senderId": "you", "text": "7"]))
      ],
      profiles: [
        "me": UserProfile(try ChatDocuments.user("me", ["primaryLanguage": .string(own)])),
        "you": UserProfile(try ChatDocuments.user("you", ["primaryLanguage": .string(other)])),
      ]
    )
    var plan = try ReplyPlan(view)
    plan.intent = intent
    return plan
  }

  private static let codes = FallbackReplies.tables.keys.sorted() + ["zh-Hans", "zh-Hant"]

  @Test(arguments: codes)
  func `a table's replies pass the checks of a model's`(code: String) throws {
    let checks = ModelText(try Prompt(ReplyPrompt.template, input: ["": ""]), said: [])
    for intent in MessageIntent.allCases {
      for (own, other) in [(code, "en"), ("en", code), (code, code)] {
        let plan = try plan(own, other, intent)
        let suggestions = try #require(FallbackReplies.suggestions(for: plan))
        #expect(suggestions.settled == suggestions)
        #expect(suggestions.problem(plan, checks: checks) == nil, "\(suggestions)")
      }
    }
  }

  @Test func `without a table for either language there are no replies`() throws {
    #expect(FallbackReplies.suggestions(for: try plan("sw", "en", .other)) == nil)
    #expect(FallbackReplies.suggestions(for: try plan("en", "sw", .other)) == nil)
  }

  @Test(arguments: [
    ("zh", "好的！"), ("zh-CN", "好的！"), ("zh-TW", "我明白了。"), ("zh-Hant-HK", "我明白了。"),
    ("pt-BR", "Está bem!"), ("de-AT", "Okay!"),
  ])
  func `a region uses its language's table, a script has its own`(code: String, reply: String)
    throws
  {
    let replies = try #require(FallbackReplies.table(of: Language(code)))
    #expect(replies.other.contains(reply))
    let isTraditional = replies.plan.contains("聽起來不錯！")
    #expect(isTraditional == (code.hasPrefix("zh-T") || code.hasPrefix("zh-Hant")))
  }

  @Test(arguments: [
    ("en", "Can you call me back?", MessageIntent.question), ("en", "Hi, how are you?", .greeting),
    ("en", "Thank you so much!", .thanks), ("en", "Thanks! Where is it?", .question),
    ("en", "Hey", .greeting), ("en", "Shall we have lunch?", .plan), ("en", "Let's go", .plan),
    ("en", "Break a leg at your interview tomorrow!", .other), ("en", "🎉", .other),
    ("en", "This thing", .other), ("en", "I want to cry", .other), ("en", "See you!", .other),
    ("en", "Nice to meet you!", .other), ("en", "I never want to meet him again.", .other),
    ("en", "My grandmother died yesterday.", .other), ("de", "Ich habe keine Lust mehr.", .other),
    ("de", "Das Treffen war schlimm.", .other), ("fr", "On va tous mourir.", .other),
    ("en", "Do you want to come with us?", .plan), ("de", "Hast du Lust auf Kino?", .plan),
    ("de", "Wollen wir morgen essen gehen?", .plan),
    ("de", "Dankeschön", .thanks), ("es", "¡Buenos días!", .greeting), ("fr", "Merci", .thanks),
    ("it", "Ci vediamo alle otto", .plan), ("el", "Πού είσαι;", .question),
    ("en", "Well; no", .other), ("ar", "أين أنت؟", .question), ("ja", "ありがとうございます", .thanks),
    ("ja", "明日会いませんか？", .plan), ("zh-TW", "你在哪裡？", .question), ("ko", "안녕하세요", .greeting),
    ("th", "ขอบคุณมาก", .thanks), ("ru", "Спасибо большое!", .thanks), ("tr", "Merhaba", .greeting),
    ("fa", "کی می‌آیی", .plan), ("da", "Tak!", .thanks), ("pl", "Tak!", .other),
    ("sw", "Asante", .other), ("sw", "Habari?", .question), ("xh", "", .other),
  ])
  func `a message's intent is detected by its words and marks`(
    language: String,
    text: String,
    intent: MessageIntent
  ) throws {
    #expect(MessageIntent(of: text, in: try Language(language)) == intent)
  }
}
