extension CommonWords {
  static let english = """
    a about actually after again all almost already also always am amazing an and another answer
    answers any anyone anything are aren't around as ask at away awesome back bad be beach because
    bed been before being believe best better big birthday bit both breakfast bring brother bus
    busy but buy by bye call came can can't car cat cause christmas close closes cold come comes
    coming congratulations cool could couldn't course crazy crossed dad daughter day days did
    didn't dinner do does doesn't dog doing don't done door down drink dude each early easter eat
    else enjoy enough even ever every everyone everything exactly family far father favor favour
    feel few find fine fingers first five food for forget forgot forgotten found free friday friend
    friends from fun get gets getting girl give glad go goes going gonna good got gotta great guess
    guy guys had happen happened happy hard has have haven't having he he's hear heard hello help
    her here hey hi him his home hope hot hour hours house how how's hungry hurry I i'd i'll i'm
    i've idea if in into is isn't it it'll it's its job just keep kid kids kind knew know last late
    later least leave left less let let's life like little long look looking looks lot lots love
    lunch made make making many matter may maybe me mean meet meeting merry might mind mine minute
    minutes miss missed mom monday money more morning most mother much mum must my myself name near
    need never new next nice night no nobody not nothing now of off oh old on once one only or
    other our out over own party people perfect phone photo pick picture place plan play please
    pretty probably problem put quite rain raining rains ready real really right room run running
    safe said same saturday saw say says school see seen send she she's shop should show sister
    sleep so some someone something son soon sorry sound sounds speak speaks start started stay
    still stop street stuff such sunday sure take talk tell ten test text than thank thanks that
    that'd that'll that's the their them then there there's these they they'll they're thing things
    think this those though thought through thursday time times tired to today together told
    tomorrow tonight too totally town train tried trip try trying tuesday two understand until up
    us use very wait waiting wanna want wants was wasn't way we we'd we'll we're we've wednesday
    week weekend welcome well went were what what's whatever when where where's which while who
    who's whole why will wish with won't work working works worry would wouldn't write wrong yeah
    year years yes yesterday yet you you'd you'll you're you've your yours
    """

  static let german = """
    ab Abend aber alle allem allen aller alles als also alter am an andere anderen anrufen Arbeit
    arbeiten auch auf aus Auto bald bei beide beim Bescheid besser beste bestimmt Bild bin bis
    bisschen bist bitte bleib bleiben brauche brauchst bring bringen Bruder da dabei dachte dafür
    damit danach danke dann daran darauf darf das dass dein deine deinem deinen deiner dem den
    denke denkst denn der des deshalb dich die Dienstag dies diese dieser dieses dir doch
    Donnerstag dort drei du durch Durst dürfen eben echt egal ein eine einem einen einer einfach
    einmal endlich entschuldigung er erst erste es Essen essen etwas euch euer fahr fahren fast
    fertig finde findest Foto Freitag freitag freue Freund Freunde Freundin freut froh frohe fährt
    für gab ganz ganze gar geben Geburtstag gegen gegessen geh gehe gehen gehst geht Geld genau
    gerade gern gerne gesehen gestern gib gibt gibt's ging glaub glaube gleich Glück Glückwunsch
    groß gut gute guten guter gutes hab habe haben habt hallo hallöchen halt hast hat hatte hatten
    Haus hause heißt herzlichen heute hey hier Hilfe hin hoffe hoffentlich hol Hund Hunger hätte
    hätten hör ich Idee ihm ihn ihnen ihr ihre im immer in ins irgendwie isst ist ja Jahr Jahre
    jede jeden jeder jemand jetzt kann kannst Katze kaufen kaum kein keine keinen Kind Kinder klar
    klasse kleine klingt komm komme kommen kommst kommt krass können könnte könnten könntest Laden
    lange lass lassen leben leid leider letzte letzten Leute lieb liebe lieber los mach mache
    machen machst macht mag mal Mama man manchmal mehr mein meine meinem meinen meiner meinst mich
    Minuten mir mit Mittwoch Montag Morgen morgen muss musst musste Mutter möchte möchtest müde
    müssen na nach nachher Nacht nah natürlich ne nein nett neue neuen nicht nichts nie niemand
    noch nun nur nächste nächsten nämlich ob oder oh ohne Ostern Papa Party Problem raus Regen
    regnet Reise richtig ruf rufen ruhig sag sage sagen sagt Samstag schade schau schlafen schlecht
    schließt schnell schon schreib schreiben Schule Schwester schön schöne schönen sechs seh sehen
    sehr seid sein seine seit selbst sich sicher sie sieht sind so sogar soll sollen sollte sollten
    Sonntag sonst sorry Spaß sprichst spricht spät später stimmt Strand Stunde Stunden super Tag
    Tage Telefon tja toll trinken trotzdem tschüss tun tut Uhr um und uns unser unsere unter Vater
    vergessen vergiss vermisse vermisst verstanden verstehe viel viele vielen vielleicht vom von
    vor vorbei wann war waren warst warte warten warum was weg Weihnachten weil weit weiter weiß
    weißt welche wenig wenn wer werde werden Wetter wie wieder wieso will willst wir wird wirklich
    wirst wissen wo Woche Wochenende woher wohl wollen wollt wollte wurde wäre würde würdest zehn
    Zeit zu Zug zum zur zurück zusammen zwei zwischen über überhaupt
    """

  static let dutch = """
    aan af al alle alleen alles als altijd ander andere anders auto avond bedankt beetje beginnen
    begrijp bel bellen ben bent beter beterschap bij bijna blij blijf blijven boven breng brengen
    broer buiten daar daarom dacht dag dagen dan dank dankjewel dat de deed denk denken deze dicht
    die ding dingen dinsdag dit doe doei doen doet donderdag door drinken druk dus echt een eens
    eerst eerste eigenlijk elkaar en er erg ergens eten even feest fijn foto ga gaan gaat gauw geef
    geen gefeliciteerd gegeten gehad geld geleden geweest geweldig gewoon gezellig gisteren goed
    goede goedemorgen graag groot haar had hadden hallo hard heb hebben hebt heeft heel heen helaas
    hele helemaal helpen hem hen het hier hij hoe hoeveel hoi hond honger hoop hou houden huis hulp
    idee ie ieder iedereen iemand iets ik in inderdaad is ja jaar jammer je jij jou jouw jullie kan
    kat keer kerst kijk kijken kind kinderen klaar klein klinkt klopt kom komen komt kon kopen kun
    kunnen kunt laat laatste lang laten later lekker leuk leuke leuks leven lief liever maak maakt
    maandag maar mag maken man me mee meer meestal meisje mensen met mij mijn minder mis misschien
    moe moeder moest moet moeten mooi mooie morgen na naar nacht natuurlijk nee neem net niet niets
    nieuwe niks nodig nog nooit nou nu ochtend of om omdat onder ons onze ook op over paar pas
    praten prima probleem regen regent reis samen school schrijf schrijven slaap slapen snel soms
    sorry spreek spreken staan staat straat straks strand sturen stuur succes te tegen telefoon ten
    terug thuis tijd toch toen tot trein tussen twee uit uur uurtje vaak vader van vanaf vanavond
    vandaag vanmiddag veel ver verder vergeet vergeten verjaardag vind vinden volgende voor vorige
    vraag vragen vriend vrienden vrij vrijdag waar waarom wacht wachten want waren was wat we week
    weekend weer weet weg wel welke welkom welterusten werd werk werken weten wie wij wil willen
    wilt winkel woensdag worden wordt wou zag zal zaterdag ze zeg zeggen zegt zei zeker zelf zich
    zie zien ziet zijn zin zit zo zondag zonder zou zouden zulke zullen zus één
    """

  static let swedish = """
    affär aldrig all alla allt alltid alltså andra annan att av bara barn barnen behöver berätta
    bil bild bit blev bli blir bra bror bäst bästa bättre både börja börjar dag dagar dags de dem
    den denna det detta dig din dina direkt ditt dock dricka du där därför då efter eftersom
    egentligen ej eller en enda er ett faktiskt fan fast fel fem festen fick fin fina finns fint
    flera folk fram framför fredag fråga från fundera fy få får fått födelsedag för före förlåt
    först första försöka ganska gata ge ger gick gillar glad glöm glömde glömt god godmorgon gott
    grattis gäller gärna gå gången går gör göra ha hade haft han hans har hej hejdå hela hem hemma
    henne hennes hit hitta hjälp hjälpa hoppas hos hund hungrig hur hälsa här hör höra i ibland
    igen igår ihop ikväll imorgon in inga ingen ingenting inget innan inte is ja jag jaha jo jobb
    jobba jobbar ju jul just jätte jättebra jättekul kan kanske katt kl klar klart klockan kolla
    kom komma kommer kram kul kunde kunna kväll känner köpa kör la lagom ledsen ligger lite liten
    liv lova lägga länge läs långt låt låter lördag mamma man mat med medan mellan men mer mest mig
    min mina minuter mitt morgon mot mycket månad måndag många mår måste natt nej ner ni nog nu ny
    nya när nära nästa någon något några nån nåt och också om onsdag ont orkar oss pappa person
    prata precis problem på påsk redan regnar resa ringa ringer roligt runt rätt saknar samma sedan
    semester sen senare senast ses sig sin sist sitter själv ska skicka skola skriv skriva skriver
    skulle skynda skön skönt slut snabbt snart snäll som sova stor stora strand stäng står största
    svara svarar syster säga säger säker säkert sätt så sånt söndag ta tack tar telefon tid tiden
    tidigt till tillbaka tills tillsammans timme tisdag torsdag tre trevlig trevligt tror träffa
    träffas trött två tycker tyvärr tåg tåget under upp ut utan vacker vad vakna van var vara
    varför varit varje varsågod vecka veckan vem vet veta vi vid vilja vilka vilken vilket vill
    ville visst väl väldigt vän vänner vänta älskar än ännu är äta ätit även åka år åt över
    """
}
