package gatebook.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.FlowRequest.WebhookConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookConfigJsonTest {

  @Test
  void aConfigurationIsReadBack() {
    WebhookConfig config =
        new WebhookConfig(
            "https://a.example/b?c=\"d\"", Map.of("X-A", "b \"c\"", "X-B", ""), "PUT", 7, 0);

    assertThat(WebhookConfigJson.read(WebhookConfigJson.of(config))).isEqualTo(config);
  }

  @Test
  void queriesAndHeadersAreHidden() {
    assertThat(
            WebhookConfigJson.hiddenIn(
                """
                {"task_id":"a","webhook_config":{"headers":{"X-Key":"s3cret"},\
                "url":"https://a.example/b?t=s3cret","method":"PUT"}}\
                """))
        .isEqualTo(
            """
            {"task_id":"a","webhook_config":{"headers":"[REDACTED]",\
            "url":"https://a.example/b?[REDACTED]","method":"PUT"}}\
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
    assertThat(WebhookConfigJson.hiddenIn(params)).isEqualTo(params);
  }
}
