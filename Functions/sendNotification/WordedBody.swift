import Chat
import Providers

/// The body of a push that can't show the message's text.
///
/// It is in the reader's language, or in English if the table lacks that language.
enum WordedBody {
  /// The kind of a message's attachment, as in a conversation's `lastMessageType`.
  enum Media: String, CaseIterable {
    case photo, video, audio, file

    fileprivate var symbol: String {
      switch self {
      case .photo: "📷"
      case .video: "🎥"
      case .audio: "🎤"
      case .file: "📎"
      }
    }
  }

  /// Returns the body for an attachment, such as "📷 Photo".
  ///
  /// - Parameter code: the reader's language.
  static func text(of media: Media, in code: String?) -> String {
    let words = zip(Media.allCases, words(in: code)).first { $0.0 == media }?.1
    return "\(media.symbol) \(words ?? "")"
  }

  /// Returns the body for a message whose text must not be shown.
  static func newMessage(in code: String?) -> String { words(in: code)[Media.allCases.count] }

  // MARK: Words

  /// The number of languages in the table.
  static var languageCount: Int { table.count }

  private static func words(in code: String?) -> [String] {
    let language = code.flatMap { try? Language($0) }
    let names = language.map { [isTraditional($0) ? "zh-Hant" : $0.base] } ?? []
    return (names + ["en"]).lazy.compactMap { table[$0] }.first ?? []
  }

  private static func isTraditional(_ language: Language) -> Bool {
    ["zh-Hant", "zh-TW", "zh-HK", "zh-MO"].contains { language.code.hasPrefix($0) }
  }

  /// The words by language.
  ///
  /// Each row has a language, then its words for a photo, a video, a voice message, a file, and a
  /// new message.
  private static let table: [String: [String]] = {
    let rows = """
      ar|صورة|فيديو|رسالة صوتية|ملف|رسالة جديدة
      bg|Снимка|Видео|Гласово съобщение|Файл|Ново съобщение
      bn|ছবি|ভিডিও|ভয়েস মেসেজ|ফাইল|নতুন মেসেজ
      ca|Foto|Vídeo|Missatge de veu|Fitxer|Missatge nou
      cs|Fotografie|Video|Hlasová zpráva|Soubor|Nová zpráva
      da|Billede|Video|Talebesked|Fil|Ny besked
      de|Foto|Video|Sprachnachricht|Datei|Neue Nachricht
      el|Φωτογραφία|Βίντεο|Φωνητικό μήνυμα|Αρχείο|Νέο μήνυμα
      en|Photo|Video|Voice message|File|New message
      es|Foto|Vídeo|Mensaje de voz|Archivo|Mensaje nuevo
      fa|عکس|ویدیو|پیام صوتی|فایل|پیام جدید
      fi|Kuva|Video|Ääniviesti|Tiedosto|Uusi viesti
      fil|Larawan|Video|Voice message|File|Bagong mensahe
      fr|Photo|Vidéo|Message vocal|Fichier|Nouveau message
      he|תמונה|סרטון|הודעה קולית|קובץ|הודעה חדשה
      hi|फ़ोटो|वीडियो|वॉइस मैसेज|फ़ाइल|नया मैसेज
      hr|Fotografija|Videozapis|Glasovna poruka|Datoteka|Nova poruka
      hu|Fénykép|Videó|Hangüzenet|Fájl|Új üzenet
      id|Foto|Video|Pesan suara|File|Pesan baru
      it|Foto|Video|Messaggio vocale|File|Nuovo messaggio
      ja|写真|動画|ボイスメッセージ|ファイル|新着メッセージ
      ko|사진|동영상|음성 메시지|파일|새 메시지
      mr|फोटो|व्हिडिओ|व्हॉइस मेसेज|फाइल|नवीन मेसेज
      ms|Foto|Video|Mesej suara|Fail|Mesej baharu
      nl|Foto|Video|Spraakbericht|Bestand|Nieuw bericht
      no|Bilde|Video|Talemelding|Fil|Ny melding
      pl|Zdjęcie|Film|Wiadomość głosowa|Plik|Nowa wiadomość
      pt|Foto|Vídeo|Mensagem de voz|Arquivo|Nova mensagem
      ro|Fotografie|Videoclip|Mesaj vocal|Fișier|Mesaj nou
      ru|Фото|Видео|Голосовое сообщение|Файл|Новое сообщение
      sk|Fotografia|Video|Hlasová správa|Súbor|Nová správa
      sv|Foto|Video|Röstmeddelande|Fil|Nytt meddelande
      sw|Picha|Video|Ujumbe wa sauti|Faili|Ujumbe mpya
      ta|புகைப்படம்|வீடியோ|குரல் செய்தி|கோப்பு|புதிய செய்தி
      te|ఫోటో|వీడియో|వాయిస్ మెసేజ్|ఫైల్|కొత్త మెసేజ్
      th|รูปภาพ|วิดีโอ|ข้อความเสียง|ไฟล์|ข้อความใหม่
      tr|Fotoğraf|Video|Sesli mesaj|Dosya|Yeni mesaj
      uk|Фото|Відео|Голосове повідомлення|Файл|Нове повідомлення
      ur|تصویر|ویڈیو|صوتی پیغام|فائل|نیا پیغام
      vi|Ảnh|Video|Tin nhắn thoại|Tệp|Tin nhắn mới
      zh|照片|视频|语音消息|文件|新消息
      zh-Hant|照片|影片|語音訊息|檔案|新訊息
      """
    let pairs = rows.split(separator: "\n").map { row in
      let cells = row.split(separator: "|").map(String.init)
      return (cells[0], Array(cells.dropFirst()))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()
}

extension Message {
  /// The URL of a photo that phones may load, or `nil`.
  ///
  /// It is an https URL of at most 1,024 bytes, as FCM accepts it.
  var photoURL: String? {
    guard let url = mediaURL, url.utf8.count <= 1_024, url.utf8.starts(with: "https://".utf8),
      url.utf8.dropFirst(8).first != UInt8(ascii: "/"),
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }),
      WordedBody.Media(of: self) == .photo
    else { return nil }
    return url
  }
}

extension WordedBody.Media {
  /// Creates the kind from the type that the client gives, or else from the URL's extension.
  ///
  /// If neither names a known kind, the attachment is a file.
  init(of message: Message) {
    let type = message.mediaType?.utf8.split(separator: UInt8(ascii: "/")).first
    self =
      Self.named(type) ?? message.mediaURL.flatMap { Self.named(Self.fileExtension($0)) } ?? .file
  }

  /// The kinds by the names that clients use, MIME types, and common file extensions.
  private static let names: [String: Self] = {
    let lists: [(Self, String)] = [
      (.photo, "image photo picture jpg jpeg png gif webp heic heif avif bmp tif tiff"),
      (.video, "video mp4 mov m4v webm mkv avi 3gp mpg mpeg"),
      (.audio, "audio voice m4a mp3 aac ogg oga opus wav amr caf flac"),
    ]
    let pairs = lists.flatMap { media, list in
      list.split(separator: " ").map { (String($0), media) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  /// Returns the kind for a name in any letter case, or `nil` if the name is unknown.
  private static func named(_ name: Substring.UTF8View?) -> Self? {
    guard let name, name.count <= 8 else { return nil }
    return names[String(decoding: name, as: UTF8.self).lowercased()]
  }

  /// Returns the extension of a URL's path, without query and fragment.
  private static func fileExtension(_ url: String) -> Substring.UTF8View? {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let name = path.split(separator: UInt8(ascii: "/")).last,
      name.contains(UInt8(ascii: "."))
    else { return nil }
    return name.split(separator: UInt8(ascii: ".")).last
  }
}
