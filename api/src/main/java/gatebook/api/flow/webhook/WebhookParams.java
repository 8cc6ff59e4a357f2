package gatebook.api.flow.webhook;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the webhook that is told how an execution goes on. */
public final class WebhookParams {
  static final String NAME = "webhook_config";

  private static final int URL_CHARS_MAX = 2_048;
  private static final int TIMEOUT_SECONDS_DEFAULT = 30;
  private static final int RETRIES_DEFAULT = 3;
  private static final int HEADERS_MAX = 32;
  private static final int HEADER_CHARS_MAX = 8_192;
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

  /** Headers of the transport, which only the gateway sets. */
  private static final Set<String> RESERVED_HEADERS =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Map<String, String> METHODS =
      Map.of("POST", "POST", "post", "POST", "PUT", "PUT", "put", "PUT");

  private WebhookParams() {}

  /** A member that is absent has its default, or the limit if that is less. */
  public static Optional<WebhookConfig> webhook(
      CheckedMembers params, GatewayLimits gatewayLimits) {
    if (!params.has(NAME)) {
      return Optional.empty();
    }
    CheckedMembers config = params.inner(NAME);
    config.require("url", "string");
    String url = config.text("url", URL_CHARS_MAX).orElse("");
    if (!url.isEmpty() && !isHttp(url)) {
      config.add("url", "Invalid URL", "an http or https URL", null);
    }
    return Optional.of(
        new WebhookConfig(
            url,
            headers(config),
            config.word("method", METHODS).orElse("POST"),
            whole(
                config,
                "timeout",
                1,
                gatewayLimits.getInt(Limit.TREE_WEBHOOK_TIMEOUT_SECONDS_MAX),
                TIMEOUT_SECONDS_DEFAULT),
            whole(
                config,
                "max_retries",
                0,
                gatewayLimits.getInt(Limit.TREE_WEBHOOK_RETRIES_MAX),
                RETRIES_DEFAULT)));
  }

  private static int whole(CheckedMembers config, String name, int min, int max, int defaultValue) {
    return config.whole(name, min, max).orElse(Math.min(defaultValue, max));
  }

  /** The caller is not told which addresses are allowed. */
  public static void requireAllowed(WebhookConfig webhook, Rules rules) {
    if (!rules.allowsWebhook(URI.create(webhook.url()))) {
      throw new RefusedRequest(
          new InvalidParams(
              List.of(new Problem(NAME + ".url", "Address not allowed", null, null, List.of()))));
    }
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && ("http".equalsIgnoreCase(uri.getScheme())
              || "https".equalsIgnoreCase(uri.getScheme()));
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static Map<String, String> headers(CheckedMembers config) {
    CheckedMembers given = config.inner("headers");
    Map<String, String> headers = new LinkedHashMap<>();
    ObjectMembers members = given.members();
    members.forEach((name, _) -> {
      Optional<String> value = given.anyText(name).filter(text -> isHeader(name, text));
      if (value.isPresent() && headers.size() < HEADERS_MAX) {
        headers.put(name, value.get());
      } else {
        given.add(name, "Invalid header", "a name and a text without line ends", null);
      }
    });
    return headers;
  }

  private static boolean isHeader(String name, String value) {
    return HEADER_NAME.matcher(name).matches()
        && !RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))
        && value.length() <= HEADER_CHARS_MAX
        && HEADER_VALUE.matcher(value).matches();
  }
}
