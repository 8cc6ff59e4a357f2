package gatebook.api.node.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.api.rpc.JsonStrings;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** Random secrets of many forms, each of which is remembered. */
final class PlantedSecrets {

  /** Where texts are cut before they are recorded, logged or returned. */
  static final List<Integer> CUTS = List.of(64, 128, 200, 256, 1_024, 4_096);

  private static final String ALNUM =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  /** So much of a secret identifies it. */
  private static final int BEGINNING_CHARS = 12;

  private final Random random;
  private final List<String> all = new ArrayList<>();

  PlantedSecrets(long seed) {
    random = new Random(seed);
  }

  /** Searches the first characters of each secret, so that also half of one is found. */
  TextSearch search() {
    return new TextSearch(
        all.stream()
            .map(each -> each.substring(0, Math.min(each.length(), BEGINNING_CHARS)))
            .toList());
  }

  /** One of these texts. */
  String oneOf(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  /** A credential recognisable by its form, on one line. */
  String credential() {
    return switch (random.nextInt(10)) {
      case 0 -> hide("sk-proj-" + chars(40));
      case 1 -> hide("AKIA" + chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"));
      case 2 -> hide("ghp_" + chars(36));
      case 3 -> webToken();
      case 4 -> "https://user:" + password() + "@example.org/x";
      case 5 -> "mysql -p" + password() + " shop";
      case 6 -> "curl -u ann:" + password() + " x";
      case 7 -> "<password>" + password() + "</password>";
      case 8 -> hide(card().replaceAll("(.{4})(?=.)", "$1-"));
      default -> bearer();
    };
  }

  /** A text that has to be redacted. */
  String text() {
    return switch (random.nextInt(6)) {
      case 0 -> "see /home/" + hide(chars(9)) + "/" + chars(6) + "/id_rsa there";
      case 1 ->
          "-----BEGIN PRIVATE KEY-----\n"
              + hide(Base64.getEncoder().encodeToString(bytes(48)))
              + "\n-----END PRIVATE KEY-----";
      case 2 -> "retry with api_key=" + password() + " set";
      case 3 -> javaTrace(hide(chars(12)));
      case 4 -> pythonTrace(hide(chars(12)));
      default -> "with " + credential() + " in it";
    };
  }

  private static String javaTrace(String secret) {
    return """
    failed
    \tat com.acme.%s.run(Cart.java:12)
    \tat com.acme.Main.main(Main.java:7)
    """
        .formatted(secret);
  }

  private static String pythonTrace(String secret) {
    return """
    Traceback (most recent call last):
      File "/srv/app/%s.py", line 12, in run
        run()
    KeyError: 'a'
    """
        .formatted(secret);
  }

  /** Words up to a credential that begins before this many characters and ends after them. */
  String acrossCut(String word, int chars) {
    String secret = random.nextBoolean() ? webToken() : hide("sk-proj-" + chars(80));
    int more = random.nextBoolean() ? random.nextInt(8) : random.nextInt(secret.length() / 2);
    int before = chars - BEGINNING_CHARS - more;
    String words = word.repeat(Math.max(1, before / word.length()));
    return words + secret;
  }

  /** Fills each placeholder with a quoted credential. */
  String filled(String form) {
    StringBuilder filled = new StringBuilder();
    int from = 0;
    for (int at = form.indexOf("%s"); at >= 0; at = form.indexOf("%s", from)) {
      filled.append(form, from, at).append(JsonStrings.quoted(credential()));
      from = at + 2;
    }
    return filled.append(form.substring(from)).toString();
  }

  String bearer() {
    return "Bearer " + hide(chars(24));
  }

  String password() {
    return hide(chars(12));
  }

  /** A key that can be part of an address. */
  String key() {
    return hide(chars(24) + "Q7");
  }

  String webToken() {
    Base64.Encoder url = Base64.getUrlEncoder().withoutPadding();
    return hide(
        url.encodeToString("{\"alg\":\"HS256\"}".getBytes(ISO_8859_1))
            + "."
            + url.encodeToString(
                "{\"sub\":\"%d\"}".formatted(random.nextLong()).getBytes(ISO_8859_1))
            + "."
            + url.encodeToString(bytes(32)));
  }

  /** The number of a card. */
  String cardNumber() {
    return hide(card());
  }

  /** The digits of a card, of which the last one checks the others. */
  private String card() {
    String digits = "4" + chars(14, "0123456789");
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int weighed = (digits.charAt(i) - '0') * (i % 2 == 0 ? 2 : 1);
      sum += weighed > 9 ? weighed - 9 : weighed;
    }
    return digits + (10 - sum % 10) % 10;
  }

  private String hide(String secret) {
    all.add(secret);
    return secret;
  }

  private String chars(int count) {
    return chars(count, ALNUM);
  }

  private String chars(int count, String alphabet) {
    StringBuilder chars = new StringBuilder();
    for (int i = 0; i < count; i++) {
      chars.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return chars.toString();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
