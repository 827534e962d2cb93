extension CommonWords {
  static let polish = """
    a albo ale ależ auto aż bardziej bardzo bez bo boże brat brzmi byli być był była było będzie
    będziemy będziesz będą będę całe cały chce chcesz chciałabym chciałbym chcę chodzi chodź choć
    chwila chwilę ci ciebie cię co coś czas czasem czasu czego czekaj czemu cześć czwartek czy
    czyli często człowiek daj dalej daleko dam dać deszcz dla dlaczego dlatego dni do dobra
    dobranoc dobre dobry dobrze dobrą dom domu dopiero dość dużo dwa dwie dzieci dziecko dzień
    dzisiaj dzięki dziękuję dziś dzwonię fajne fajnie gdy gdyby gdzie go godzina godziny godzinę
    gratulacje głodny hej i ich idę idź ile im inny innych iść ja jadłem jak jaka jaki jakie jakiś
    jako jakoś je jeden jedna jednak jedno jego jej jemu jest jestem jesteś jesteśmy jeszcze jeśli
    jeść jeżeli jutra jutro już każdy kiedy kiedyś kilka kim kocham koniec kot kto ktoś która które
    którego który kupić lat lata lepiej lub lubię ludzi ludzie ma mają mam mama mamy masz mi miał
    miała miejsce mieć minut między mnie mną mogę moja moje mojej może możemy możesz można musi
    musimy musisz muszę my myślisz myślę mój mówisz na nad nadzieję nam napisz naprawdę nas
    następny nasz nasze natomiast nawet nic nich nie niech niedziela niedzielę niego niej niestety
    nigdy nikt nim nią niż no noc nowe nowy o obok od on ona one oni ono oraz oto pada pan pana
    pani pewnie pieniądze pies pisać piątek pić po pociąg pociągiem pod podoba pomoc pomocy pomóc
    poniedziałek potem potrzebuję powiedz powiedział powiem powinien poza pozdrawiam praca pracy
    pracę prawda prawdę prawie problem proszę przed przepraszam przez przy przykro pytanie pójść
    rano raz razem robi robisz robić rok roku rozumiem rozumiesz również sam sama samochód siebie
    siostra się sklep skąd sobie sobota sobotę spać spała spoko sposób spotkamy spotkanie spotkać
    stało super swoje swój szkoła szybko są ta tak taka taki takie także tam tata te tego tej
    telefon ten teraz też to tobie tobą tu tutaj twoja twoje twój ty tych tydzień tyle tylko tym
    tys u ulica urodziny w wakacje wam was ważne wcześniej we widzimy widzę wie wieczorem wieczór
    wiem wiesz witaj więc więcej wszyscy wszystkiego wszystkim wszystko wtedy wtorek wy wydaje
    właśnie z za zadzwonić zadzwoń zapomniałam zapomniałem zaraz zawsze zdjęcia zdjęcie ze zmęczona
    zmęczony znaczy znowu znów zobacz zobaczenia zobaczymy został zrobić środa środę świetnie
    święta źle że żeby życia życie
    """

  static let turkish = """
    abi acaba acele ad adam ah aile akşam al almak alo altı ama an anda anladım anlamadım anlıyorum
    anne annem ara araba arada aradı arar ararım arasında arkadaş arkadaşlar artık asla aslında ay
    aynı az açım aşk baba babam bak bakalım bana bay bayan bayram bazı bekle beklerim bekliyorum
    belki ben bence bende beni benim beri bey beş bile biliyor biliyorsun biliyorum bilmiyorum bin
    bir biraz biri birlikte birşey biz bize bizi bizim bişey boş bu bugün bulundu bunlar bunu bunun
    burada burası buraya buçuk böyle bütün büyük canım cevap cuma cumartesi da daha dakika de dedi
    dedim demek der değil değilim dikkat diye diğer dolayı doğru doğum dur durum dükkan dün
    edebilir eder ederim ediyorum en er et etti ettim ev evde eve evet fakat falan fazla fena film
    fotoğraf galiba gayet gece gel geldi geldim gelecek gelir geliyor geliyorum gerek gerçekten geç
    gibi gidelim gider gidiyor gidiyorum git gönder gördüm göre görmek görüşmek görüşürüz gün
    günaydın günler güzel haber hadi hafta haklı hala hangi hani harika hayat hayır hem hemen hep
    hepsi her herkes herşey hey hiç hiçbir hoş hoşçakal hâlâ iki ile ilk insan ise istedim
    istemiyorum istiyor istiyorum iyi iyiyim iç için içinde iş işte kadar kadın kalk kalıyor kanka
    kapalı kardeş kardeşim karşı kaç kedi kendi kez kim kimse kolay konuş konuşalım konuşmak kutlu
    köpek kötü küçük kız lazım lütfen merhaba mesaj mesajı mi misin mu musun mutlaka mutlu mü müsün
    mı mısın nasıl nasılsın ne neden nerede neredesin nereye niye o okul ol olabilir olacak olan
    olarak oldu olduğu olduğunu olmadı olmaz olsun olur on ona onlar onu onun orada oraya oysa para
    pazar pazartesi pek peki perşembe rica saat saatte sabah sadece salı sana sanki sanırım sağ
    sağol selam sen sence senden seni senin sevgili seviyorum siz size sizi sizin sokak son sonra
    sonunda sorun söyle söyledi süper tabi tabii tamam tane tatlım tebrikler tek telefon teşekkür
    teşekkürler tren tüm türlü unutma unuttum uyku uyu uyudum uzak uzun var vardı ve veya ya
    yaklaşık yani yap yapacak yapma yaptım yapıyorsun yapıyorum yardım yarın yaz yazarım yazdım
    yağmur yağıyor yedim yedin yemek yeni yer yine yok yoksa yol yorgunum yoruldum yıllar zaman
    zaten zor çabuk çalışıyorum çarşamba çocuk çocuklar çok çünkü çıktım önce önemli ötürü öyle
    özür üzgünüm üç şaka şekilde şey şeyler şimdi şu şöyle
    """

  static let indonesian = """
    ada adalah adik agar aja akan akhir aku anak anak-anak anda anjing apa apakah apalagi atas atau
    ayah ayo bagaimana bagi bagus bahasa bahwa baik baiklah banget bantu bantuan banyak bapak baru
    bawa beberapa begitu beli belum benar berangkat berapa besar besok betul biar biasa bicara
    bilang bisa boleh bu buat bukan bulan capek cepat cinta coba cuma dalam dan dapat dari datang
    dekat dengan depan di dia dirimu dong dua dulu empat enak engga enggak foto ga gak gimana gue
    habis hai halo hanya hari harus hati hidup hujan ia ibu ikut ingin ini inilah itu iya jadi
    jalan jam jangan jauh jelas jika juga jumat jumpa kabar kadang kak kakak kakek kalau kalian
    kalo kami kamis kamu kan kapan karena kasih kata kau ke kecil kedua keluarga kemarin kembali
    kenapa kepada kereta kerja ketemu khusus kirim kirimkan kita kok kucing kurang lagi lah lain
    lalu lama langsung lapar lebih lelah lewat libur liburan lihat lima luar lucu lupa maaf maka
    makan makanan makasih malam mana masalah masih masuk mau melakukan melihat memang membuat
    mengerti mereka meski minggu minta minum mobil mulai mungkin naik nanti nggak nih nya oh oleh
    orang pada pagi paham pak pakai paling pas pasti penting pergi perlu pernah pertama pulang
    punya rabu rasa rumah saat sabtu saja sakit sama sampai sana sangat satu saya sayang sebelum
    sebentar sedang sedikit sekali sekarang sekolah selalu selamat selasa semoga semua semuanya
    senang sendiri senin seorang seperti sering serta setelah setiap siang siap siapa sih sini sore
    suatu sudah suka sulit supaya tadi tahu tahun tak takut tanpa tapi tau telah telepon teman
    tempat tentang tentu terima terjadi terlalu terus tetapi tiap tidak tidur tiga tinggal toko
    tolong tuh tulis tunggu tutup uang udah ulang ultah untuk waktu ya yaitu yang yuk
    """
}
