/// The names of everyday subjects in six languages.
///
/// A question and the messages about its subject may be in different languages.
struct Glossary: Sendable {
  static let standard = Glossary()

  /// The first English name of each subject, by any of its names.
  private let subjects: [String: String]

  init() {
    var subjects: [String: String] = [:]
    for line in Self.table.split(separator: "\n") {
      let names = line.split(separator: " | ").flatMap { $0.split(separator: "/") }
        .flatMap { Words.folded($0).prefix(1) }
      for name in names where subjects[name] == nil { subjects[name] = names.first }
    }
    self.subjects = subjects
  }

  /// Returns the subject that a folded word names, or the word itself.
  func subject(of word: String) -> String { subjects[word] ?? word }

  /// The table of single-word names, without names that are everyday words in another language.
  private static let table = #"""
    dinner/dinners/supper | cenar | cena/cene/ceniamo | dîner/dîners | jantar/jantares | Abendessen
    lunch | almuerzo/almorzar | pranzo/pranzi | déjeuner | almoço/almoçar | Mittagessen
    breakfast | desayuno/desayunar | colazione | - | - | Frühstück/frühstücken
    coffee/coffees | café/cafés | caffè | café | cafezinho | Kaffee
    train/trains | tren/trenes | treno/treni | trains | trem/trens/comboio | Zug/Züge
    flight/flights | vuelo/vuelos | volo/voli | vol/vols | voo/voos | Flug/Flüge
    airport | aeropuerto | aeroporto | aéroport | aeroporto | Flughafen
    station | estación | stazione | gare | estação | Bahnhof
    hotel/hotels | hoteles | albergo/alberghi | hôtel/hôtels | hotéis | Hotel/Hotels
    restaurant/restaurants | restaurante/restaurantes | ristorante/ristoranti | restaurant | restaurante | Restaurant/Gasthaus
    birthday/birthdays | cumpleaños/cumple | compleanno/compleanni | anniversaire/anniversaires | aniversário/aniversários | Geburtstag/Geburtstage
    party/parties | fiesta/fiestas | festa/feste | fête/fêtes | festas | Party/Feier
    present/gift/gifts/presents | regalo/regalos | regali | cadeau/cadeaux | presente/presentes | Geschenk/Geschenke
    meeting/meetings | reunión/reuniones | riunione/riunioni | réunion/réunions | reunião/reuniões | Besprechung/Treffen
    work/job | trabajo/trabajar | lavoro/lavorare | travail/travailler | trabalho/trabalhar/emprego | Arbeit/arbeiten/Job
    school/schools | escuela/colegio | scuola/scuole | école/écoles | escola/escolas | Schule/Schulen
    exam/exams | examen/exámenes | esame/esami | examens | prova/exame | Prüfung/Prüfungen
    interview/interviews | entrevista/entrevistas | colloquio/colloqui | entretien/entretiens | entrevista | Vorstellungsgespräch
    holiday/holidays/vacation | vacaciones | vacanza/vacanze | vacances | férias | Urlaub/Ferien
    trip/trips/journey | viaje/viajes | viaggio/viaggi | voyage/voyages | viagem/viagens | Reise/Reisen
    beach/beaches | playa/playas | spiaggia/spiagge | plage/plages | praia/praias | Strand/Strände
    cinema/movies/movie | cine | cinema | cinéma | cinema | Kino
    film/films | película/películas | film | films | filme/filmes | Film/Filme
    house/home | casa/casas | - | maison/maisons | casa | Haus/Zuhause
    car/cars | coche/coches | macchina/macchine | voiture/voitures | carro/carros | Auto/Autos
    doctor/doctors | médico/médicos | dottore/medico | médecin/médecins | médico | Arzt/Ärztin
    money | dinero | soldi/denaro | argent | dinheiro | Geld
    address | dirección | indirizzo/indirizzi | adresse/adresses | endereço | Adresse
    key/keys | llave/llaves | chiave/chiavi | clé/clés/clef | chave/chaves | Schlüssel
    ticket/tickets | billete/billetes/entradas | biglietto/biglietti | billet/billets | bilhete/ingresso/ingressos | Ticket/Karte/Karten
    today | hoy | oggi | aujourd'hui | hoje | heute
    tomorrow | mañana | domani | demain | amanhã | morgen
    tonight | - | stasera | - | - | -
    Monday | lunes | lunedì | lundi | segunda | Montag
    Tuesday | martes | martedì | mardi | terça | Dienstag
    Wednesday | miércoles | mercoledì | mercredi | quarta | Mittwoch
    Thursday | jueves | giovedì | jeudi | quinta | Donnerstag
    Friday | viernes | venerdì | vendredi | sexta | Freitag
    Saturday | sábado | sabato | samedi | sábado | Samstag/Sonnabend
    Sunday | domingo | domenica | dimanche | domingo | Sonntag
    """#
}
