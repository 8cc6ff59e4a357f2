package gatebook.command.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.inspect.InspectorFinding.Clean;
import gatebook.command.inspect.InspectorFinding.Refused;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RedactionRules;
import gatebook.events.call.JsonValue;
import gatebook.events.call.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsInspectorTest {

  private static final String KEY = "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789";

  private final Inspector inspector =
      InspectorRegistry.create(
              List.of("secrets"),
              new Scrubber(RedactionRules.DEFAULT, List.of("the operators' own"), Map.of()))
          .getFirst();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {"a":[1,{"b":"use GHP please"}]}            | an API key at /a/1/b
          {"a":{"GHP":1}}                             | an API key as a member's name at /a
          {"GHP":1}                                   | an API key as a member's name at the top
          "GHP"                                       | an API key at the top
          {"x":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"} | a JSON web token at /x
          {"x":"-----BEGIN PRIVATE KEY-----"}         | a private key at /x
          {"x":"Bearer abc123DEF"}                    | a bearer token or basic credentials at /x
          {"x":"https://user:pass@host.example/"}     | credentials in a URL at /x
          {"x":"the operators' own"}                  | a secret of this node at /x
          {"/etc/passwd":{"a@b":"GHP"}}               | an API key at /~1etc~1passwd/a@b
          """)
  void aCredentialIsRefusedAndOnlyItsPlaceNamed(String arguments, String reason) {
    assertThat(inspect(JsonValue.parse(arguments.replace("GHP", KEY))))
        .isEqualTo(new Refused(reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"password\":\"hunter2\"}",
        """
        {"path":"/etc/passwd","mail":"a@b.example"}\
        """,
        """
        {"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}\
        """,
        "[1.50,true,null,\"https://host.example/x\"]"
      })
  void valuesThatOnlyLookSecretPass(String arguments) {
    assertThat(inspect(JsonValue.parse(arguments))).isEqualTo(new Clean());
  }

  @Test
  void aCallWithoutArgumentsIsClean() {
    assertThat(inspect(null)).isEqualTo(new Clean());
  }

  @Test
  void anUnknownInspectorIsRefused() {
    assertThat(InspectorRegistry.NAMES).containsExactly("secrets");
    assertThatThrownBy(() -> InspectorRegistry.create(List.of("other"), Scrubber.BUILT_IN))
        .hasMessage("no inspector is called other");
  }

  private InspectorFinding inspect(@Nullable JsonValue arguments) {
    return inspector.inspect(
        new InspectedCall(
            new Principal("ann", List.of(), Map.of()), "demo", "tools/call", "echo", arguments));
  }
}
