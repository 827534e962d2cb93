extension CommonWords {
  /// The words of Hindi, typed with Latin letters.
  ///
  /// Words that are also common in another language (main, to, the, is, me, us) are left out.
  static let hindi = """
    aa aaj aaja aana aao aap aapka aapki aapko aati aaya aayi abhi accha acchi acha achha achhi
    agar aisa aise aisi ajeeb alag andar apna apne apni arre aur aurat baad baat baatein bacche
    badhai badhiya badi bahar bahin bahut baje bana banao banda bandi bas batao baith baitho
    bhabhi bhai bhaiya bhar bharosa bhejo bhi bhool bhookh bika bilkul bola bolo bolna budhvaar
    chahiye chai chal chalo chalta chalte chaliye chhod chhota chhoti chhutti chup dadi dekh dekha
    dekhna dekho deta dete dhanyavaad dhyan didi dilli diya dikha dopahar dosti dost doston dukan
    ekdum gaadi gaya gaye gayi ghar ghanta ghante ghoomne guruvaar gussa haan hafte hai hain hamara
    hamari hame hamein hamesha haste hoga hoge hogi hona hota hote hoti hua hue hui hun idhar
    intezaar isliye itna itni iska iske jaan jaana jaata jaate jaati jaldi janamdin jaisa jaise
    jao jaunga jaungi jhooth jitna kaam kab kabhi kahaan kahan kahin kaha kaho kaisa kaise kaisi
    kamaal kar karna karne karo karta karte karti karun karunga kaun khaana khana khatam khaya
    khel khelo khush khushi kismat kitab kitna kitne kitni kiya kiye kiska kisi koi kuch kyon kyu
    kyun kya lagta lagti lagte lekin liye lagi lena lenge ladka ladki log logon maa maaf mahina
    maine mast matlab maza mazaa mausam mein mera mere meri mil milenge milna milo milte milti mujhe
    mujhko naam nahi nahin naya neend nikal paani paas padhai paisa paise papaji parso pata pehla
    pehle phir phone pyaar pyar raha rahe rahi raat rakh rakho roko roz rukh ruk ruko sabse sahi
    saath saal sach samajh samay shaadi shaam shanivaar shayad shubh shukriya sirf sochna socho
    somvaar subah suna suno theek thik thoda thodi tum tumhara tumhari tumhe tumko tera tere teri
    tujhe udhar unka unke upar uska uske usko vaise waah waala wahan wapas waqt woh yaad yaar yaha
    yahan yahi yeh zara zaroor zindagi zyada
    """
}
