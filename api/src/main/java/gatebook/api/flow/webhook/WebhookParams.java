package gatebook.api.flow.webhook;

import static gatebook.api.rpc.RequestMember.optional;
import static gatebook.api.rpc.RequestMember.required;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
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

  private static final RequestMember URL =
      required(
          "url",
          Some.texts(
              Text.between(1, 2_048), "Invalid URL", "an http or https URL", WebhookParams::isHttp),
          "The address, which the rules must allow.");
  private static final RequestMember HEADERS =
      optional("headers", Members.ANY, "The headers of each request.");
  private static final RequestMember METHOD =
      optional("method", Word.of(METHODS), "The method.").byDefault("\"POST\"");

  private WebhookParams() {}

  /** A member that is absent has its default, or the limit if that is less. */
  public static RequestMember declared(GatewayLimits gatewayLimits) {
    return optional(
        NAME,
        Members.of(List.of(URL, HEADERS, METHOD, timeout(gatewayLimits), retries(gatewayLimits))),
        "The webhook that is told how the execution goes on.");
  }

  private static RequestMember timeout(GatewayLimits gatewayLimits) {
    int max = gatewayLimits.getInt(Limit.TREE_WEBHOOK_TIMEOUT_SECONDS_MAX);
    return optional("timeout", Whole.between(1, max), "The seconds for which a request may last.")
        .byDefault(Math.min(TIMEOUT_SECONDS_DEFAULT, max));
  }

  private static RequestMember retries(GatewayLimits gatewayLimits) {
    int max = gatewayLimits.getInt(Limit.TREE_WEBHOOK_RETRIES_MAX);
    return optional("max_retries", Whole.between(0, max), "How often a request is repeated.")
        .byDefault(Math.min(RETRIES_DEFAULT, max));
  }

  public static Optional<WebhookConfig> webhook(
      CheckedMembers params, GatewayLimits gatewayLimits) {
    RequestMember declared = declared(gatewayLimits);
    CheckedMembers config = params.inner(declared);
    return params
        .json(declared)
        .map(_ ->
            new WebhookConfig(
                config.text(URL).orElse(""),
                headers(config.inner(HEADERS)),
                config.word(METHOD, METHODS).orElseThrow(),
                config.whole(timeout(gatewayLimits)).orElseThrow(),
                config.whole(retries(gatewayLimits)).orElseThrow()));
  }

  /** The caller is not told which addresses are allowed. */
  public static void requireAllowed(WebhookConfig webhook, Rules rules) {
    if (!rules.allowsWebhook(URI.create(webhook.url()))) {
      throw new RefusedRequest(
          new InvalidParams(
              List.of(
                  new Problem(
                      NAME + ".url",
                      "Address not allowed",
                      "an address that the rules allow",
                      JsonType.STRING,
                      List.of()))));
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

  private static Map<String, String> headers(CheckedMembers given) {
    Map<String, String> headers = new LinkedHashMap<>();
    given
        .members()
        .forEach((name, json) -> {
          Optional<String> value = JsonStrings.text(json).filter(text -> isHeader(name, text));
          if (value.isPresent() && headers.size() < HEADERS_MAX) {
            headers.put(name, value.get());
          } else {
            given.add(name, "Invalid header", "a name and a text without line ends");
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
