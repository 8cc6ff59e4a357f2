package gatebook.api.flow.webhook;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.rules.Rules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The JSON of a webhook's configuration, with which an execution starts. */
public final class WebhookConfigJson {
  private static final String HIDDEN = "\"[REDACTED]\"";

  private WebhookConfigJson() {}

  public static String of(WebhookConfig webhook) {
    String headers =
        new TreeMap<>(webhook.headers())
            .entrySet().stream()
                .map(header -> quoted(header.getKey()) + ":" + quoted(header.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    return "{\"url\":%s,\"headers\":%s,\"method\":%s,\"timeout\":%d,\"max_retries\":%d}"
        .formatted(
            quoted(webhook.url()),
            headers,
            quoted(webhook.method()),
            webhook.timeoutSeconds(),
            webhook.retriesMax());
  }

  public static WebhookConfig read(String json) {
    ObjectMembers members = ObjectMembers.of(json);
    ObjectMembers given = members.members("headers");
    Map<String, String> headers = new LinkedHashMap<>();
    given.forEach((name, _) -> headers.put(name, given.text(name).orElse("")));
    return new WebhookConfig(
        members.text("url").orElseThrow(),
        headers,
        members.text("method").orElseThrow(),
        number(members, "timeout"),
        number(members, "max_retries"));
  }

  private static int number(ObjectMembers members, String name) {
    return members.json(name).map(Integer::parseInt).orElseThrow();
  }

  /**
   * The params of a request without what is secret of its webhook: the headers, and the address
   * except for what the rules name.
   */
  public static String hiddenIn(String params, Rules rules) {
    ObjectMembers webhook = ObjectMembers.of(params).members(WebhookParams.NAME);
    String shown = params;
    if (webhook.json("headers").isPresent()) {
      shown = MemberSplice.with(shown, List.of(WebhookParams.NAME, "headers"), HIDDEN);
    }
    if (webhook.json("url").isPresent()) {
      String url = webhook.text("url").map(text -> quoted(rules.shownWebhook(text))).orElse(HIDDEN);
      shown = MemberSplice.with(shown, List.of(WebhookParams.NAME, "url"), url);
    }
    return shown;
  }
}
