import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct WordedBodyTests {
  @Test(
    arguments: [
      ("it", "📷 Foto"), ("pt-BR", "📷 Foto"), ("zh-Hant", "📷 照片"), ("ja", "📷 写真"),
      ("iw", "📷 תמונה"), ("nb", "📷 Bilde"), ("zu", "📷 Photo"), ("klingon", "📷 Photo"),
      ("", "📷 Photo"), (nil, "📷 Photo"),
    ] as [(String?, String)]
  )
  func `a photo has a name in the reader's language, else in English`(
    code: String?,
    body: String
  ) {
    #expect(WordedBody.text(of: .photo, in: code) == body)
  }

  @Test func `Chinese is written in the reader's script`() {
    #expect(WordedBody.text(of: .video, in: "zh-CN") == "🎥 视频")
    for code in ["zh-TW", "zh-Hant-HK", "zh-MO"] {
      #expect(WordedBody.text(of: .video, in: code) == "🎥 影片")
    }
  }

  /// The arguments are the 25 languages with the most speakers or phones.
  @Test(
    arguments: """
      en zh hi es fr ar bn pt ru ur id de ja sw mr te tr ta vi ko it pl uk nl th
      """.split(separator: " ").map(String.init)
  )
  func `the most common languages have their own text for every media type`(code: String) {
    var words = WordedBody.Media.allCases.map { WordedBody.text(of: $0, in: code) }
    words.append(WordedBody.newMessage(in: code))
    #expect(Set(words).count == words.count)
    #expect(words.allSatisfy { !$0.isEmpty })
    if code != "en" { #expect(WordedBody.newMessage(in: code) != "New message") }
  }

  @Test func `more than forty languages have texts`() {
    #expect(WordedBody.languageCount > 40)
  }

  static let media: [(Fields, WordedBody.Media)] = [
    (["mediaURL": "https://x/a.jpg"], .photo), (["mediaURL": "https://x/a.JPEG?alt=media"], .photo),
    (["mediaURL": "https://x/o/chats%2Fa.m4a?token=b.jpg"], .audio),
    (["mediaURL": "https://x/a.mp4#t=1.png"], .video), (["mediaURL": "https://x/a.pdf"], .file),
    (["mediaURL": "https://x.jpg/a"], .file), (["mediaURL": "https://x/a.jpg/"], .photo),
    (["mediaURL": "."], .file), (["mediaURL": "x", "mediaType": "image/png"], .photo),
    (["mediaURL": "a.jpg", "mediaType": "Video"], .video),
    (["mediaURL": "a.jpg", "mediaType": "application/pdf"], .photo),
    (["mediaURL": "a.mov", "mediaType": 7], .video), (["mediaURL": "x", "mediaType": "/"], .file),
  ]

  static let photos: [(url: String, isShown: Bool)] = [
    ("https://x.example/a.jpg", true), ("https://x.example/a.jpg?alt=media&token=%C3%A9", true),
    ("https://x/" + String(repeating: "a", count: 1_010) + ".jpg", true),
    ("https://x/" + String(repeating: "a", count: 1_011) + ".jpg", false),
    ("http://x.example/a.jpg", false), ("HTTPS://x.example/a.jpg", false),
    ("https:///a.jpg", false), ("https://x.example/a b.jpg", false), ("a.jpg", false),
    ("https://x.example/é.jpg", false), ("https://x.example/\"a.jpg", false),
    ("https://x.example/\n/a.jpg", false), ("https://x.example/a.mp4", false),
    ("data:image/png;base64,AAAA", false), ("https://x.example/a", false),
  ]

  @Test(arguments: photos)
  func `a push shows only a photo with an https URL`(url: String, isShown: Bool) throws {
    let message = Message(try ChatDocuments.message(["mediaURL": .string(url)]))
    #expect(message.photoURL == (isShown ? url : nil))
  }

  @Test(arguments: media)
  func `the media type is the client's, else the URL's extension decides`(
    fields: Fields,
    media: WordedBody.Media
  ) throws {
    #expect(WordedBody.Media(of: Message(try ChatDocuments.message(fields))) == media)
  }
}
