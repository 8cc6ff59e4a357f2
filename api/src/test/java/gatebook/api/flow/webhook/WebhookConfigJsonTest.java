package gatebook.api.flow.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.AllowedAddress;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.events.call.Action;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookConfigJsonTest {
  private static final Rules RULES =
      new Rules(
          "none",
          List.of(),
          new Governance(Action.DENY, List.of()),
          Map.of(),
          CedarPolicies.NONE,
          List.of(),
          Principals.NONE,
          List.of(),
          List.of(new AllowedAddress("https", "a.example", 443, "/b")),
          RedactionRules.DEFAULT,
          RecordRules.DEFAULT,
          GatewayLimits.DEFAULT);

  @Test
  void aConfigurationIsReadBack() {
    WebhookConfig config =
        new WebhookConfig(
            "https://a.example/b?c=\"d\"", Map.of("X-A", "b \"c\"", "X-B", ""), "PUT", 7, 0);

    assertThat(WebhookConfigJson.read(WebhookConfigJson.of(config))).isEqualTo(config);
  }

  @Test
  void headersAndWhatTheRulesDoNotNameAreHidden() {
    assertThat(
            WebhookConfigJson.hiddenIn(
                """
                {"task_id":"a","webhook_config":{"headers":{"X-Key":"s3cret"},\
                "url":"https://a.example/b/s3cret?t=s3cret","method":"PUT"}}\
                """,
                RULES))
        .isEqualTo(
            """
            {"task_id":"a","webhook_config":{"headers":"[REDACTED]",\
            "url":"https://a.example/b/[REDACTED]","method":"PUT"}}\
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[1]",
        "{\"task_id\":\"a\"}",
        "{\"webhook_config\":null}",
        "{\"webhook_config\":{\"url\":\"https://a.example/b\",\"timeout\":1}}"
      })
  void otherParamsStayAsTheyAre(String params) {
    assertThat(WebhookConfigJson.hiddenIn(params, RULES)).isEqualTo(params);
  }
}
