package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import com.cedarpolicy.value.CedarMap;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import gatebook.command.policy.CedarJson.UnusableInput;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Verdict;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CedarJsonTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-0,0",
    "3.0,3",
    "1e3,1000",
    "-1.5e1,-15",
    "0e99999999,0",
    "9223372036854775807,9223372036854775807",
    "9223372036854775807.0,9223372036854775807",
    "-9223372036854775808,-9223372036854775808",
    "9007199254740993.0,9007199254740993",
  })
  void anIntegralNumberBecomesALong(String written, long value) throws UnusableInput {
    assertThat(read(written)).containsExactly(entry("x", new PrimLong(value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "18446744073709551615"})
  void anUnsigned64BitIntegerBecomesAString(String written) throws UnusableInput {
    assertThat(read(written)).containsExactly(entry("x", new PrimString(written)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18446744073709551616",
        "-9223372036854775809",
        "1.5",
        "1e-1",
        "1e-999999999",
        "1e19",
        "9223372036854775808.0",
        "1e999999999",
        "1e99999999999999999999",
        "\"\\ud800\"",
        "{\"\\udc00\":1}",
        "{\"a\":1,\"a\":2}",
        """
        {"__entity":{"type":"ThoughtGate::Role","id":"admin"}}\
        """,
        """
        {"__extn":{"fn":"ip","arg":"127.0.0.1"}}\
        """,
        "{\"__expr\":\"principal\"}",
        """
        [[{"x":{"__entity":1,"more":2}}]]\
        """,
        """
        {"\\u005f_entity":{"type":"ThoughtGate::Role","id":"admin"}}\
        """,
        "1}{",
      })
  void anUnrepresentableValueIsDenied(String value) {
    String arguments = "{\"x\":" + value + "}";

    assertThatExceptionOfType(UnusableInput.class)
        .isThrownBy(() -> CedarJson.parseRecord(arguments));
    assertThat(verdict(arguments)).isEqualTo(DenialReason.POLICY_ERROR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "null", "", "{", "{\"a\":tru}", "{}{}"})
  void argumentsThatAreNoJsonObjectAreDenied(String arguments) {
    assertThat(verdict(arguments)).isEqualTo(DenialReason.POLICY_ERROR);
  }

  @ParameterizedTest
  @CsvSource({"64,true", "65,false"})
  void nestingHasALimit(int depth, boolean fine) {
    String objects = "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    String arrays = "{\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";

    DenialReason expected = fine ? DenialReason.NO_POLICY_PERMITS : DenialReason.POLICY_ERROR;
    assertThat(verdict(objects)).isEqualTo(expected);
    assertThat(verdict(arrays)).isEqualTo(expected);
  }

  @Test
  void argumentsAreNeverTakenForEntities() {
    CedarPolicies cedarPolicies =
        CedarPoliciesTest.compiled(
            """
            permit(principal, action, resource)
              when { resource.arguments.x == ThoughtGate::Role::"admin" };
            """);
    String forged =
        "{\"x\":%s}"
            .formatted(
                """
                {"type":"ThoughtGate::Role","id":"admin"}\
                """);

    assertThat(CedarPoliciesTest.answer(cedarPolicies, CedarPoliciesTest.pay(forged)))
        .isEqualTo(PolicyAnswer.NOTHING_PERMITS);
    assertThat(
            CedarPoliciesTest.answer(
                cedarPolicies,
                CedarPoliciesTest.pay(
                    """
                    {"x":"ThoughtGate::Role::\\"admin\\""}\
                    """)))
        .isEqualTo(PolicyAnswer.NOTHING_PERMITS);
  }

  @Test
  void textsReachPoliciesUnchanged() {
    CedarPolicies cedarPolicies =
        CedarPoliciesTest.compiled(
            """
            permit(principal, action, resource)
              when { resource.arguments.x == "\\0é𝄞\\"\\n" };
            """);

    assertThat(
            cedarPolicies
                .decide(
                    CedarPoliciesTest.pay(
                        """
                        {"x":"\\u0000é𝄞\\"\\n"}\
                        """),
                    System::nanoTime)
                .verdict())
        .isEqualTo(new Verdict.Pass());
  }

  @Test
  void randomArgumentsAreDecided() {
    CedarPolicies cedarPolicies =
        CedarPoliciesTest.compiled(
            "permit(principal, action, resource) when { context has none };");
    Random random = new Random(20260301);
    String alphabet = "{}[]:,\"\\u0d8e-+.19 truefalsn__entity\0é\ud800";

    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"a\":" : "");
      for (int length = random.nextInt(24); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String arguments = text.append(random.nextBoolean() ? "}" : "").toString();
      assertThat(cedarPolicies.decide(CedarPoliciesTest.pay(arguments), System::nanoTime).verdict())
          .as(arguments)
          .isInstanceOf(Verdict.Deny.class);
    }
  }

  private static DenialReason verdict(String arguments) {
    CedarPolicies cedarPolicies =
        CedarPoliciesTest.compiled("permit(principal, action, resource) when { false };");
    Verdict verdict =
        cedarPolicies.decide(CedarPoliciesTest.pay(arguments), System::nanoTime).verdict();
    return ((Verdict.Deny) verdict).reason();
  }

  private static CedarMap read(String value) throws UnusableInput {
    return CedarJson.parseRecord("{\"x\":" + value + "}");
  }
}
