/// Short chat messages in many languages.
enum ChatSentences {
  /// The languages of the phrasebook, in which most of the product's texts are written.
  static let mainLanguages = ["en", "es", "it", "fr", "pt", "de"]

  static let all: [(language: String, text: String)] = tables.flatMap { language, lines in
    lines.split(separator: "\n").map { (language, String($0)) }
  }

  private static let tables: [(language: String, lines: String)] = [
    (
      "en",
      """
      Are you coming to the party tonight?
      I left my umbrella on the train again.
      My sister just had a baby!
      Can you send me the address please?
      The shop closes at six so hurry up
      what time does your flight land
      We should try that new Thai place.
      He never answers his phone
      Sounds good!
      I'm running ten minutes late
      It was raining the whole weekend
      Don't forget to feed the cat
      Thanks a lot
      Who is going to drive us home?
      See you then!
      They want more money for the same work.
      """
    ),
    (
      "es",
      """
      ¿Vienes a la fiesta esta noche?
      Me dejé el paraguas en el tren otra vez.
      Mi hermana acaba de tener un bebé
      ¿Me puedes mandar la dirección, por favor?
      La tienda cierra a las seis, date prisa
      a qué hora llega tu vuelo
      Tenemos que probar ese sitio nuevo.
      Nunca contesta al teléfono
      ¡Suena muy bien!
      Voy con diez minutos de retraso
      Estuvo lloviendo todo el fin de semana
      No te olvides de darle de comer al gato
      Muchas gracias por todo
      ¿Quién nos lleva a casa?
      Nos vemos mañana entonces
      Quieren más dinero por el mismo trabajo.
      """
    ),
    (
      "it",
      """
      Vieni alla festa stasera?
      Ho lasciato di nuovo l'ombrello sul treno.
      Mia sorella ha appena avuto un bambino
      Mi mandi l'indirizzo per favore?
      Il negozio chiude alle sei, sbrigati
      a che ora arriva il tuo volo
      Dobbiamo provare quel posto nuovo.
      Non risponde mai al telefono
      Mi sembra una buona idea!
      Sono in ritardo di dieci minuti
      Ha piovuto tutto il fine settimana
      Non dimenticare di dare da mangiare al gatto
      Grazie mille di tutto
      Chi ci porta a casa?
      Ci vediamo domani
      Vogliono più soldi per lo stesso lavoro.
      """
    ),
    (
      "fr",
      """
      Tu viens à la fête ce soir ?
      J'ai encore oublié mon parapluie dans le train.
      Ma sœur vient d'avoir un bébé
      Tu peux m'envoyer l'adresse s'il te plaît ?
      Le magasin ferme à six heures, dépêche-toi
      à quelle heure arrive ton vol
      On devrait essayer ce nouveau resto.
      Il ne répond jamais au téléphone
      Ça me va très bien !
      Je suis en retard de dix minutes
      Il a plu tout le week-end
      N'oublie pas de donner à manger au chat
      Merci beaucoup pour tout
      Qui nous ramène à la maison ?
      On se voit demain alors
      Ils veulent plus d'argent pour le même travail.
      """
    ),
    (
      "pt",
      """
      Você vem para a festa hoje à noite?
      Esqueci o guarda-chuva no trem de novo.
      Minha irmã acabou de ter um bebê
      Pode me mandar o endereço, por favor?
      A loja fecha às seis, anda logo
      a que horas chega o seu voo
      A gente tem que conhecer aquele lugar novo.
      Ele nunca atende o telefone
      Acho que é uma boa ideia!
      Estou dez minutos atrasado
      Choveu o fim de semana inteiro
      Não esquece de dar comida para o gato
      Muito obrigada por tudo
      Quem leva a gente para casa?
      Até amanhã então
      Eles querem mais dinheiro pelo mesmo trabalho.
      """
    ),
    (
      "de",
      """
      Kommst du heute Abend zur Feier?
      Ich habe meinen Schirm wieder im Zug vergessen.
      Meine Schwester hat gerade ein Kind bekommen
      Kannst du mir bitte die Adresse schicken?
      Der Laden macht um sechs zu, beeil dich
      wann landet dein Flug
      Wir sollten das neue Restaurant ausprobieren.
      Er geht nie ans Telefon
      Das klingt gut!
      Ich bin zehn Minuten zu spät
      Es hat das ganze Wochenende geregnet
      Vergiss nicht die Katze zu füttern
      Vielen Dank für alles
      Wer fährt uns nach Hause?
      Wir sehen uns dann morgen
      Sie wollen mehr Geld für die gleiche Arbeit.
      """
    ),
    (
      "nl",
      """
      Kom je vanavond naar het feest?
      Ik heb mijn paraplu weer in de trein laten liggen.
      Kun je mij het adres even sturen?
      De winkel gaat om zes uur dicht
      Hij neemt nooit zijn telefoon op
      Dat klinkt goed!
      Ik ben tien minuten te laat
      Het heeft het hele weekend geregend
      Heel erg bedankt voor alles
      Tot morgen dan
      """
    ),
    (
      "pl",
      """
      Przyjdziesz dziś wieczorem na imprezę?
      Znowu zostawiłam parasol w pociągu.
      Możesz mi wysłać adres?
      Sklep zamykają o szóstej, pospiesz się
      On nigdy nie odbiera telefonu
      Brzmi bardzo dobrze!
      Spóźnię się dziesięć minut
      Cały weekend padał deszcz
      Dziękuję ci za wszystko
      Do zobaczenia jutro
      """
    ),
    (
      "sv",
      """
      Kommer du på festen ikväll?
      Jag glömde mitt paraply på tåget igen.
      Kan du skicka adressen till mig?
      Affären stänger klockan sex så skynda dig
      Han svarar aldrig i telefon
      Det låter bra!
      Jag är tio minuter sen
      Det regnade hela helgen
      Tack så mycket för allt
      Vi ses imorgon då
      """
    ),
    (
      "tr",
      """
      Bu akşam partiye geliyor musun?
      Şemsiyemi yine trende unuttum.
      Bana adresi gönderir misin lütfen?
      Dükkan altıda kapanıyor, acele et
      Telefonuna hiç cevap vermiyor
      Kulağa çok güzel geliyor!
      On dakika geç kalacağım
      Bütün hafta sonu yağmur yağdı
      Her şey için çok teşekkür ederim
      Yarın görüşürüz o zaman
      """
    ),
    (
      "ro",
      """
      Vii la petrecere diseară?
      Mi-am uitat din nou umbrela în tren.
      Poți să-mi trimiți adresa, te rog?
      Magazinul se închide la șase, grăbește-te
      El nu răspunde niciodată la telefon
      Mi se pare o idee foarte bună!
      O să întârzii zece minute
      A plouat tot weekendul
      Mulțumesc mult pentru tot
      Ne vedem mâine atunci
      """
    ),
    (
      "id",
      """
      Kamu datang ke pesta nanti malam?
      Payung saya ketinggalan lagi di kereta.
      Bisa tolong kirim alamatnya?
      Tokonya tutup jam enam, cepat ya
      Dia tidak pernah angkat telepon
      Kedengarannya bagus sekali!
      Aku terlambat sepuluh menit
      Hujan terus sepanjang akhir pekan
      Terima kasih banyak untuk semuanya
      Sampai jumpa besok
      """
    ),
    (
      "ru",
      """
      Ты придёшь сегодня на вечеринку?
      Я опять забыл зонт в поезде.
      Скинь адрес, пожалуйста
      Спасибо тебе за всё
      До завтра!
      """
    ),
    (
      "el",
      """
      Θα έρθεις στο πάρτι απόψε;
      Ξέχασα πάλι την ομπρέλα μου στο τρένο.
      Μου στέλνεις τη διεύθυνση;
      Ευχαριστώ για όλα
      Τα λέμε αύριο
      """
    ),
    (
      "he",
      """
      אתה בא למסיבה הערב?
      שכחתי שוב את המטרייה ברכבת.
      אפשר לקבל את הכתובת בבקשה?
      תודה על הכול
      נתראה מחר
      """
    ),
    (
      "ar",
      """
      هل ستأتي إلى الحفلة الليلة؟
      نسيت مظلتي في القطار مرة أخرى.
      ممكن ترسل لي العنوان؟
      شكرا على كل شيء
      أراك غدا
      """
    ),
    (
      "hi",
      """
      क्या तुम आज रात पार्टी में आ रहे हो?
      मैं फिर से ट्रेन में छाता भूल गया।
      मुझे पता भेज दो ना
      सब कुछ के लिए धन्यवाद
      कल मिलते हैं
      """
    ),
    (
      "th",
      """
      คืนนี้จะมางานปาร์ตี้ไหม
      ฉันลืมร่มไว้บนรถไฟอีกแล้ว
      ส่งที่อยู่ให้หน่อยได้ไหม
      ขอบคุณสำหรับทุกอย่าง
      เจอกันพรุ่งนี้
      """
    ),
    (
      "ko",
      """
      오늘 밤 파티에 올 거야?
      기차에 우산을 또 두고 내렸어.
      주소 좀 보내 줄래?
      전부 다 고마워
      내일 봐
      """
    ),
    (
      "ja",
      """
      今夜のパーティーに来る?
      また電車に傘を忘れちゃった。
      住所を送ってくれる?
      いろいろありがとう
      また明日ね
      """
    ),
    (
      "zh",
      """
      你今晚来参加聚会吗?
      我又把雨伞忘在火车上了。
      能把地址发给我吗
      谢谢你做的一切
      明天见!
      """
    ),
  ]
}
