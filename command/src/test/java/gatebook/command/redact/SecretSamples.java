package gatebook.command.redact;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Generates samples of secrets of every kind, as they occur in texts. */
final class SecretSamples {

  /** A text and the part of it that must be redacted. */
  record Secret(String text, String hidden) {}

  static final String OWN = "operator/Secret+of this node";
  static final String VARIABLE = "a value of the environment";

  private static final String ALNUM =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  static final List<Function<Random, Secret>> KINDS =
      List.of(
          random -> whole("AKIA" + chars(random, 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
          random -> whole("ghp_" + chars(random, 36, ALNUM)),
          random ->
              whole("github_pat_" + chars(random, 22, ALNUM) + "_" + chars(random, 59, ALNUM)),
          random -> whole("glpat-" + chars(random, 20, ALNUM)),
          random ->
              whole("xoxb-" + chars(random, 12, "0123456789") + "-" + chars(random, 24, ALNUM)),
          random -> whole("sk_live_" + chars(random, 24, ALNUM)),
          random -> whole("sk-proj-" + chars(random, 40, ALNUM)),
          random -> whole("sk-ant-api03-" + chars(random, 40, ALNUM + "_-")),
          random -> whole("AIza" + chars(random, 35, ALNUM + "_-")),
          random -> whole("npm_" + chars(random, 36, ALNUM)),
          random -> whole(webToken(random)),
          random -> whole(privateKey(random, true)),
          random -> whole(chars(random, 40, "0123456789abcdef")),
          random -> whole(chars(random, 44, ALNUM + "_-")),
          random -> whole(base64(random, 33)),
          random -> after("Bearer ", chars(random, 20, ALNUM + "._~+/-")),
          random -> after("Basic ", base64("user:" + chars(random, 9, ALNUM))),
          random -> after("Authorization: ", "Digest username=" + chars(random, 8, ALNUM)),
          random -> after("Cookie: ", "a=" + chars(random, 8, ALNUM) + "; b=" + random.nextInt()),
          random -> after("password=", chars(random, 8, ALNUM + "!%*+-/:?@^_~")),
          random -> after("DB_PASSWORD: ", chars(random, 8, ALNUM)),
          random -> after("https://h.example/x?api_key=", chars(random, 8, ALNUM)),
          random -> after("--client-secret ", chars(random, 8, ALNUM)),
          random -> after("postgres://", "user:" + chars(random, 8, ALNUM) + "@"),
          random -> after("{\"accessToken\": \"", chars(random, 8, ALNUM + " \u00e4{},")),
          random -> after("{\\\"secret\\\":\\\"", chars(random, 8, ALNUM + " ,")),
          random -> whole("/home/" + chars(random, 6, ALNUM) + "/" + chars(random, 9, ALNUM)),
          random -> whole("~/" + chars(random, 8, ALNUM) + "/id_rsa"),
          random -> whole("C:\\Users\\" + chars(random, 8, ALNUM) + "\\x.txt"),
          random -> whole("\\\\files\\" + chars(random, 8, ALNUM) + "\\x"),
          random -> whole("file:///srv/" + chars(random, 8, ALNUM)),
          random -> whole(chars(random, 8, ALNUM) + "." + random.nextInt(99) + "@mail.example"),
          _ -> whole(OWN),
          _ -> whole(VARIABLE));

  private SecretSamples() {}

  static Secret any(Random random) {
    return KINDS.get(random.nextInt(KINDS.size())).apply(random);
  }

  static String chars(Random random, int count, String alphabet) {
    StringBuilder chars = new StringBuilder();
    for (int i = 0; i < count; i++) {
      chars.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return chars.toString();
  }

  static String webToken(Random random) {
    return url64("{\"alg\":\"HS256\"}".getBytes(UTF_8))
        + "."
        + url64(("{\"sub\":\"" + random.nextLong() + "\"}").getBytes(UTF_8))
        + "."
        + url64(bytes(random, 32));
  }

  static String privateKey(Random random, boolean ends) {
    String key = "-----BEGIN PRIVATE KEY-----\n" + base64(random, 48) + "\n" + base64(random, 40);
    return ends ? key + "\n-----END PRIVATE KEY-----" : key;
  }

  private static Secret whole(String text) {
    return new Secret(text, text);
  }

  private static Secret after(String before, String hidden) {
    return new Secret(before + hidden, hidden);
  }

  private static String base64(Random random, int bytes) {
    return Base64.getEncoder().encodeToString(bytes(random, bytes));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String url64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
