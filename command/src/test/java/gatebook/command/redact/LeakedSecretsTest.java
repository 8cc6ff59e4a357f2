package gatebook.command.redact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.call.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Forms in which secrets are known to leak, as texts and in JSON. */
final class LeakedSecretsTest {

  private static final JsonMapper MAPPER = new JsonMapper();

  @ParameterizedTest
  @CsvFileSource(
      resources = "leaked.txt",
      delimiterString = " | ",
      quoteCharacter = '^',
      maxCharsPerColumn = 2_048)
  void knownLeaksAreRedacted(String text, String hidden) {
    assertThat(text).contains(hidden);

    String scrubbed = Scrubber.BUILT_IN.scrub(text);

    assertThat(scrubbed).doesNotContain(hidden);
    assertThat(Scrubber.BUILT_IN.scrub(scrubbed)).isEqualTo(scrubbed);
    JsonValue value = JsonValue.parse(MAPPER.createObjectNode().put("text", text).toString());
    assertThat(Scrubber.BUILT_IN.scrub(value).toString()).doesNotContain(hidden);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          postgres://user:p@ss/w@rd@db.example/x?a=b   | postgres://[value]@db.example/x?a=b
          amqp://user:123/456@mq.example/x             | amqp://[value]@mq.example/x
          https://h.example:8443/@scope/package        | https://h.example:8443/@scope/package
          <db:password type="x">hunter2</db:password>  | <db:password type="x">[value]</db:password>
          &lt;apiKey&gt;a b&lt;/apiKey&gt;             | &lt;apiKey&gt;[value]&lt;/apiKey&gt;
          <property name="password" value="x y"/>      | <property name="password" value="[value]"/>
          login <token> or <password> first            | login <token> or <password> first
          mysql -u root -phunter2 shop                 | mysql -u root -p[value] shop
          sshpass -p hunter2 ssh -p 22 host            | sshpass -p [value] ssh -p [value] host
          curl -u ann:hunter2 https://h.example/x      | curl -u ann:[value] https://h.example/x
          docker run -u 1000:1000 -p 8080:80 -v x      | docker run -u 1000:1000 -p 8080:80 -v x
          mkdir -pv a; find . -print0; make -parallel2 | mkdir -pv a; find . -print0; make -parallel2
          your login code is 123 456, keep it          | your login code is [value], keep it
          G-482913 is your verification code.          | [value] is your verification code.
          exit code 1234, status code 5000, code: 4711 | exit code 1234, status code 5000, code: 4711
          card 4111 1111 1111 1111 declined            | card [value] declined
          order 4111111111111112 at 1763700000000000   | order 4111111111111112 at 1763700000000000
          key 9f86d081884c7d659a2f was refused         | key [value] was refused
          commit 9f86d081884c7d659a2f was refused      | commit 9f86d081884c7d659a2f was refused
          error in src/main/x/run.py:12:4 and b.go:3   | error in [path]:12:4 and [path]:3
          src\\\\Shop\\\\Cart.cs(12,5): error          | [path](12,5): error
          ${HOME}/.ssh/id_rsa, $HOME/x, %TEMP%\\\\a.txt| [path], [path], [path]
          ${BASE_URL}/v1/x and #/$defs/x stay          | ${BASE_URL}/v1/x and #/$defs/x stay
          """)
  void textAroundSecretsStays(String text, String scrubbed) {
    assertThat(Scrubber.BUILT_IN.scrub(text)).isEqualTo(scrubbed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          ["sshpass","-p","hunter2","ssh"]          | ["sshpass","-p","[value]","ssh"]
          ["mysql","-u","root","-phunter2"]         | ["mysql","-u","root","-p[value]"]
          ["/usr/bin/curl","-u","ann:hunter2","-v"] | ["[path]","-u","ann:[value]","-v"]
          ["mkdir","-p","hunter2"]                  | ["mkdir","-p","hunter2"]
          {"otp":123456,"code":123456}              | {"otp":"[value]","code":123456}
          {"card":4111111111111111,"n":41111}       | {"card":"[value]","n":41111}
          {"a\\ud800":"b\\udc00c"}                  | {"a\ufffd":"b\ufffdc"}
          """)
  void secretsInJsonAreRedacted(String json, String scrubbed) {
    assertThat(Scrubber.BUILT_IN.scrubJson(json)).isEqualTo(JsonValue.parse(scrubbed));
  }

  @Test
  void keysOfEveryFormatAreCredentials() {
    assertThat(KeyFormat.ALL)
        .allSatisfy(format ->
            assertThat(Scrubber.BUILT_IN.findCredential(format.prefix() + "1a".repeat(20)))
                .contains(SecretKind.API_KEY));
  }

  @ParameterizedTest
  @EnumSource
  void everyWordOfAListDecides(WordList list) {
    Example example = example(list);

    assertThat(list.words()).allSatisfy(word -> assertThat(example.isTrue(word)).isTrue());
    assertThat(example.isTrue("zebu")).isFalse();
  }

  /** A text that is scrubbed in this way because of the word in the place of the star. */
  private record Example(String text, String scrubbed) {
    boolean isTrue(String word) {
      return Scrubber.BUILT_IN.scrub(text.replace("*", word)).equals(scrubbed.replace("*", word));
    }
  }

  private static Example example(WordList list) {
    return switch (list) {
      case SECRET_NAME_ENDS -> new Example("the*=q", "the*=[value]");
      case SECRET_NAME_WORDS -> new Example("*_of_x=q", "*_of_x=[value]");
      case POSSIBLE_NAME_WORDS -> new Example("*=q *=1", "*=[value] *=1");
      case METADATA_NAME_WORDS -> new Example("token_*=q", "token_*=q");
      case SECRET_LINE_HEADERS -> new Example("*: q r", "*: [value]");
      case KEY_WORD_ENDS -> new Example("the* 9f86d081884c7d659a2f", "the* [value]");
      case KEY_FILLERS -> new Example("key * 9f86d081884c7d659a2f", "key * [value]");
      case CODE_WORDS -> new Example("login * 482913", "login * [value]");
      case UNAMBIGUOUS_CODE_WORDS -> new Example("* 482913", "* [value]");
      case CODE_PURPOSES -> new Example("* code 482913", "* code [value]");
      case CODE_FILLERS -> new Example("login code * 482913", "login code * [value]");
      case FILE_ROOTS -> new Example("open /* now", "open [path] now");
      case FILE_ROOTS_WITH_BLANKS -> new Example("open /*/a b/c", "open [path]");
      case NON_FILE_ROOTS -> new Example("at /*/x now", "at /*/x now");
      case URL_VARIABLE_ENDS -> new Example("${X_*}/a/b", "${X_*}/a/b");
      case SOURCE_EXTENSIONS -> new Example("a/b.*:7", "[path]:7");
      case EXCEPTION_ENDS ->
          new Example("File \"x.py\", line 3, in run a(b) The*: no", "[stack] The*: no");
    };
  }
}
