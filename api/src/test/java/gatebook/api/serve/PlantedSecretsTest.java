package gatebook.api.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Door;
import gatebook.api.http.RawHttp;
import gatebook.api.rpc.Quoted;
import gatebook.api.upstream.Stub;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets in every place where a caller or an upstream can put a text: none is in any error,
 * header, line of the log or event. Ids come back by contract, and results pass unchanged.
 */
final class PlantedSecretsTest {

  private static final long SEED = 20_260_102;
  private static final int ROUNDS = 4;
  private static final String[] DOORS = {"/mcp", "/rpc", "/flow", "/a2a"};
  private static final String ALNUM =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final String JSON = "Content-Type: application/json";

  private final Random random = new Random(SEED);
  private final List<String> hidden = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private String upstreamsError = "{}";

  @Test
  void noSecretLeavesOrStaysWhereverItWasPut(@TempDir Path folder) throws IOException {
    try (Stub stub = new Stub(this::fail);
        WatchedNode node = WatchedNode.start(folder, rules(stub))) {
      for (int round = 0; round < ROUNDS; round++) {
        plantInNames(node);
        plantInHeaders(node);
        plantInWhatIsNoCall(node);
        plantInArguments(node);
        plantInErrorsOfSources(node);
      }

      expectNone("an answer", told);
      expectNone("a line of the log", node.linesOfAll());
      expectNone("the journal", node.stored());
      assertThat(node.stored()).anyMatch(event -> event.contains("[token]"));
    }
  }

  private static String rules(Stub stub) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: blocklist, tools: ["gone*"]}}
      - {id: passing, kind: mcp, prefix: passing_, url: "%1$s"}
      - {id: wrapping, kind: mcp, prefix: wrapping_, url: "%1$s", errors: wrap}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "denied*", action: deny}
        - {match: "asked*", action: policy, policy_id: none}
    """
        .formatted(stub.url("/mcp"));
  }

  private void plantInNames(WatchedNode node) throws IOException {
    for (String door : DOORS) {
      send(node, door, "1", "no/such/" + credential(), "{}");
      send(node, door, Quoted.quoted(credential()), "no/such", "{}");
    }
    for (String tool : List.of("gone ", "denied ", "asked ", "")) {
      send(node, "/mcp", "1", "tools/call", "{\"name\":%s}".formatted(quotedWith(tool)));
    }
    send(
        node, "/mcp", "1", "resources/read", "{\"uri\":%s}".formatted(quotedWith("https://user:")));
  }

  private void plantInHeaders(WatchedNode node) throws IOException {
    byte[] call = message("1", "no/such", "{}");
    for (String name :
        List.of(
            "X-Correlation-Id",
            "traceparent",
            "Mcp-Protocol-Version",
            "A2A-Version",
            "User-Agent",
            "X-Anything",
            "Cookie",
            "Accept")) {
      String door = DOORS[random.nextInt(DOORS.length)];
      keep(node.send(Door.CALLERS, door, call, JSON, name + ": " + credential()));
    }
    keep(node.post("/mcp", "c", call, "Authorization: Bearer " + hide(chars(24, ALNUM))));
    keep(node.send(Door.CALLERS, "/mcp", call, "Content-Type: text/plain; x=" + credential()));
    keep(
        node.send(
            Door.CALLERS, "/mcp", call, "Content-Type: application/json; charset=" + credential()));
  }

  private void plantInWhatIsNoCall(WatchedNode node) throws IOException {
    for (String door : DOORS) {
      for (String body :
          List.of(
              "%s",
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s",
              "{\"jsonrpc\":\"%s\",\"id\":1,\"method\":\"m\",\"params\":{}}",
              "{\"jsonrpc\":\"2.0\",\"id\":[\"%s\"],\"method\":\"m\",\"params\":{}}",
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\"%s\"}",
              "[\"%s\"]",
              "{\"%s\":1}",
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{\"m\":\"%s\"},\"params\":{}}")) {
        keep(node.post(door, "c", body.formatted(credential()).getBytes(UTF_8)));
      }
    }
  }

  private void plantInArguments(WatchedNode node) throws IOException {
    for (String tool : List.of("gone", "denied", "asked", "passing_x", "wrapping_x")) {
      upstreamsError = "{\"code\":-1,\"message\":\"no\"}";
      send(
          node,
          "/mcp",
          "1",
          "tools/call",
          "{\"name\":\"%s\",\"arguments\":{%s:%s,\"list\":[%s],\"password\":\"%s\"},\"_meta\":{\"traceparent\":%s}}"
              .formatted(
                  tool,
                  quotedWith(""),
                  quoted(text()),
                  quoted(text()),
                  hide(chars(12, ALNUM)),
                  quoted(text())));
    }
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        "{\"name\":[%s],\"arguments\":{}}".formatted(quoted(text())));
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        "{\"name\":\"echo\",\"arguments\":%s}".formatted(quoted(text())));
  }

  private void plantInErrorsOfSources(WatchedNode node) throws IOException {
    for (String tool : List.of("passing_x", "wrapping_x")) {
      upstreamsError =
          "{\"code\":-32042,\"message\":%s,\"data\":{\"why\":%s,%s:[%s],\"password\":\"%s\"}}"
              .formatted(
                  quoted("failed: " + text()),
                  quoted(text()),
                  quotedWith(""),
                  quoted(text()),
                  hide(chars(12, ALNUM)));
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
      upstreamsError = quoted(text());
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
    }
  }

  private void fail(Stub.Peer peer) throws IOException {
    String id = peer.request().id();
    peer.answer(
        200,
        Stub.JSON,
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}".formatted(id, upstreamsError));
  }

  private void send(WatchedNode node, String door, String id, String method, String params)
      throws IOException {
    RawHttp.Answer answer = node.post(door, "c", message(id, method, params));
    keep(
        new RawHttp.Answer(
            answer.status(), answer.headers(), answer.body().replace("\"id\":" + id, "\"id\":1")));
  }

  private static byte[] message(String id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s,\"params\":%s}"
        .formatted(id, quoted(method), params)
        .getBytes(UTF_8);
  }

  /** Header lines come in lower case, and are compared so. */
  private void keep(RawHttp.Answer answer) {
    told.add(answer.body());
    answer.headers().forEach(told::add);
  }

  private void expectNone(String where, List<String> texts) {
    String all = String.join("\n", texts).toLowerCase(Locale.ROOT);
    assertThat(hidden.stream().filter(it -> all.contains(it.toLowerCase(Locale.ROOT))))
        .as(where)
        .isEmpty();
  }

  /** What opens something by its shape alone, on one line. */
  private String credential() {
    return switch (random.nextInt(6)) {
      case 0 -> hide("sk-proj-" + chars(40, ALNUM));
      case 1 -> hide("AKIA" + chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"));
      case 2 -> hide("ghp_" + chars(36, ALNUM));
      case 3 -> hide(webToken());
      case 4 -> "https://user:" + hide(chars(10, ALNUM)) + "@example.org/x";
      default -> "Bearer " + hide(chars(24, ALNUM));
    };
  }

  /** Anything that must not stay in a text. */
  private String text() {
    return switch (random.nextInt(4)) {
      case 0 -> "see /home/" + hide(chars(9, ALNUM)) + "/" + chars(6, ALNUM) + "/id_rsa there";
      case 1 ->
          "-----BEGIN PRIVATE KEY-----\n"
              + hide(Base64.getEncoder().encodeToString(bytes(48)))
              + "\n-----END PRIVATE KEY-----";
      case 2 -> "retry with api_key=" + hide(chars(12, ALNUM)) + " set";
      default -> "with " + credential() + " in it";
    };
  }

  private String quotedWith(String before) {
    return quoted(before + credential());
  }

  private static String quoted(String text) {
    return Quoted.quoted(text);
  }

  private String hide(String secret) {
    hidden.add(secret);
    return secret;
  }

  private String webToken() {
    Base64.Encoder url = Base64.getUrlEncoder().withoutPadding();
    return url.encodeToString("{\"alg\":\"HS256\"}".getBytes(ISO_8859_1))
        + "."
        + url.encodeToString("{\"sub\":\"%d\"}".formatted(random.nextLong()).getBytes(ISO_8859_1))
        + "."
        + url.encodeToString(bytes(32));
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
