package gatebook.command.redact;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.RedactionRules;
import gatebook.events.Proof;
import gatebook.events.call.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Order(1)
final class ScrubberTest {

  private static final Scrubber BUILT_IN = Scrubber.BUILT_IN;

  private final Scrubber configured =
      new Scrubber(
          new RedactionRules(List.of("ssn"), true, List.of("LONG", "SHORT", "INNER")),
          List.of("own words"),
          Map.of("LONG", "inner and outer", "INNER", "inner", "SHORT", "abc", "OTHER", "other"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          password=hunter2                                   | password=[value]
          {"password": "hun\\"ter2", "x": 1}                 | {"password": "[value]", "x": 1}
          {\\"password\\":\\"hunter2\\",\\"x\\":1}           | {\\"password\\":\\"[value]\\",\\"x\\":1}
          {"password": "hunter2                              | {"password": "[value]
          DB_PASSWORD=abc,def;User=x                         | DB_PASSWORD=[value];User=x
          db://h/db?user=x&password=y&ssl=true               | db://h/db?user=x&password=[value]&ssl=true
          db://user:p/a@ss@host/db                           | db://[value]@host/db
          Authorization: Bearer abc, then more               | Authorization: [value], then more
          Cookie: a=b; c=d                                   | Cookie: [value]
          curl --password hunter2 --token=abc                | curl --password [value] --token=[value]
          api key: abcd (wrong)                              | api key: [value] (wrong)
          token%3Dabc                                        | token%3D[value]
          credentials: {"user": "x", "pass": "y"} rest       | credentials: [value] rest
          AKIAIOSFODNN7EXAMPLE is unknown                    | [token] is unknown
          eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_x.    | [token].
          cannot read /etc/passwd: no such file              | cannot read [path]: no such file
          open '/Users/Ann Smith/x.txt' failed               | open '[path]' failed
          C:\\Users\\Ann Smith\\x.txt is missing             | [path] is missing
          \\\\files\\share\\x is missing                     | [path] is missing
          ~/x, ~ann/.ssh/id_rsa                              | [path], [path]
          file:///home/x/y.txt                               | [path]
          PATH=/usr/bin:/opt/x                               | PATH=[path]:[path]
          /a/b.py:12: in -I/usr/include                      | [path]:12: in -I[path]
          https://h/x/y?next=/etc/passwd                     | https://h/x/y?next=[path]
          open /data/x.db, /foo/bar, not /params/name        | open [path], [path], not /params/name
          """)
  void aSecretIsReplacedByAMarker(String text, String scrubbed) {
    assertThat(BUILT_IN.scrub(text)).isEqualTo(scrubbed);
  }

  @Test
  void aPrivateKeyIsRedactedToItsEnd() {
    Random random = new Random(1);

    assertThat(BUILT_IN.scrub("a " + SecretSamples.privateKey(random, true) + " b"))
        .isEqualTo("a [token] b");
    assertThat(BUILT_IN.scrub("a " + SecretSamples.privateKey(random, false)))
        .isEqualTo("a [token]");
  }

  @Test
  void configuredSecretsAreRedacted() {
    assertThat(
            configured.scrub("own words: inner and outer, inner, abc, other, ssn=1, a@b.example"))
        .isEqualTo("[value]: [value], [value], abc, other, ssn=[value], [identity]");
  }

  @Test
  void pathsStayForOperators() {
    assertThat(configured.keepingPaths().scrub("/var/lib/x has password=y"))
        .isEqualTo("/var/lib/x has password=[value]");
  }

  @Test
  void scrubbedJsonKeepsItsStructure() {
    JsonValue value =
        JsonValue.parse(
            """
            {"a":[1.50,true,null,"/etc/passwd"],"token":{"deep":[1]},"PASSWORD":17,
             "pass":true,"auth":"x","ssn":null,"max_tokens":4096,"tokens":12,
             "own words":{"name":"Cookie","value":"a=b"},"args":["--token","t","--port","1"]}
            """);

    assertThat(configured.scrub(value))
        .isEqualTo(
            JsonValue.parse(
                """
                {"a":[1.50,true,null,"[path]"],"token":"[value]","PASSWORD":"[value]",
                 "pass":true,"auth":"[value]","ssn":"[value]","max_tokens":4096,"tokens":12,
                 "[value]":{"name":"Cookie","value":"[value]"},"args":["--token","[value]","--port","1"]}
                """));
  }

  @Test
  void aNumericSecretIsRedactedInJson() {
    Scrubber scrubber = new Scrubber(RedactionRules.DEFAULT, List.of("73514682"), Map.of());

    assertThat(scrubber.scrub(JsonValue.parse("[73514682,73514683]")))
        .isEqualTo(JsonValue.parse("[\"[value]\",73514683]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "550e8400-e29b-41d4-a716-446655440000",
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1",
        "1-5759e988-bd862e3fe1be46a994272793",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "abc-123",
        "req_2026-11-21:0001",
        "a"
      })
  void idsDoNotLookSecret(String id) {
    assertThat(BUILT_IN.looksSecret(id)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "k9Xz2LmQ7vRt4Wp8Yb3Nc6Hd",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "password:hunter2",
        "4111-1111-1111-1111",
        "order:4111111111111111",
        "otp:482913",
        "own-secret-1"
      })
  void secretsGivenAsIdsLookSecret(String id) {
    assertThat(
            new Scrubber(RedactionRules.DEFAULT, List.of("own-secret-1"), Map.of()).looksSecret(id))
        .isTrue();
  }

  @Test
  void truncatedTextEndsBetweenCharactersAndMarkers() {
    assertThat(scrubAndTruncate("a\ud83db\ude80")).isEqualTo("a\ufffdb\ufffd");
    assertThat(
            scrubAndTruncate("x".repeat(4) + " \u00e9".repeat(400))
                .getBytes(StandardCharsets.UTF_8))
        .hasSize(1_024);
    assertThat(scrubAndTruncate(" x".repeat(510) + " /etc/passwd"))
        .isEqualTo(" x".repeat(510) + " ");
    assertThat(scrubAndTruncate(" x".repeat(508) + " /etc/passwd"))
        .isEqualTo(" x".repeat(508) + " [path]");
  }

  @Test
  void aLongValueIsScrubbedBeforeTruncation() {
    String json =
        """
        {"password":"hunter2","a":"/etc/passwd","b":[\
        1,\
        """
                .repeat(9_999)
            + "1]}";

    assertThat(BUILT_IN.scrubPrefix(json, 40))
        .isEqualTo(
            """
            {"password":"[value]","a":"[path]","b":[\
            """);
    assertThat(BUILT_IN.scrubPrefix(json, 34))
        .isEqualTo(
            """
            {"password":"[value]","a":"[path]"\
            """);
    assertThat(BUILT_IN.scrubPrefix(json, 30))
        .isEqualTo(
            """
            {"password":"[value]","a":"\
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a1B2",
        "=",
        "eyJ",
        "eyJ.",
        "-----BEGIN PRIVATE KEY",
        "-----BEGIN ",
        "password=",
        "password:\"",
        "password=\\\"",
        "token: [",
        "{\"secret\":{",
        "--password ",
        "%3D",
        "Cookie: ",
        "unexpected token:",
        "password=&a",
        "/",
        "/a",
        "\"/a ",
        "/Users/a b/",
        "\\",
        "\\\\ab\\",
        "C:\\a b",
        "~/",
        "file://",
        "x=/",
        "://",
        "a://u:",
        "@",
        "a@",
        "a@b.",
        "Bearer ",
        "at a.b(",
        "(A.java:1",
        "\n\tat a.b(A.java:1)",
        "File \"a\", line 1\n  x\n",
        "a.rb:1:in `",
        "goroutine 1 [",
        "x.go:1",
        "a@b://c:1:1",
        "<password>",
        "<password><![CDATA[",
        "&lt;a ",
        "mysql -p\"",
        "-u {",
        "-u \\\"",
        "otp 1 ",
        "1 is code ",
        "4111 ",
        "key ",
        "${A}/",
        "Basic aaaaaaaa",
        "0: a::b ",
        "1: <a::b ",
        "stack backtrace: 0: <",
        "goroutine 1 [a]: a.b(0 ",
        "goroutine 1 [a]: a.(b ",
        "a.b /c.go:1 ",
        "at A.B(C d, ",
        "at A.B.C() at ",
        "Traceback (most recent call last): x ",
        "File \"a\", line 1, in b c ",
        "h:5432:a:b:",
        "machine ",
        "machine login password ",
        "login \\n",
        "[token]",
        "[",
        "sk-",
        "a-",
        " :",
        "\ud83d"
      })
  void aLongHostileTextIsScrubbedInTime(String unit) {
    int quarterMebibytes = Proof.rounds(1, 4);
    String text = unit.repeat((quarterMebibytes << 18) / unit.length());

    String scrubbed =
        Assertions.assertTimeout(
            Duration.ofSeconds(15L * quarterMebibytes), () -> configured.scrub(text));

    assertThat(configured.scrub(scrubbed).equals(scrubbed)).isTrue();
  }

  private static String scrubAndTruncate(String text) {
    return Scrubber.truncate(BUILT_IN.scrub(text), 1_024);
  }
}
