package gatebook.api.callers;

import gatebook.api.a2a.card.AgentCards;
import gatebook.api.a2a.card.AgentCards.Shape;
import gatebook.api.a2a.card.CardLookup;
import gatebook.api.a2a.card.ServedCard;
import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.http.Forwarding;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.PublicUrls;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The paths of the cards of agents, the present one and the former one, of the server and of each
 * endpoint. No token is needed to read a card.
 */
@Singleton
final class AgentCardPaths {
  private static final String WELL_KNOWN = "/.well-known/";
  private static final String FORMER = WELL_KNOWN + "agent.json";

  private final AgentCards agentCards;
  private final PublicUrls publicUrls;
  private final HttpErrors errors;

  AgentCardPaths(AgentCards agentCards, PublicUrls publicUrls, HttpErrors errors) {
    this.agentCards = agentCards;
    this.publicUrls = publicUrls;
    this.errors = errors;
  }

  CompletableFuture<HttpResponse<?>> card(HttpRequest<?> request) {
    String path = request.getPath();
    A2aEndpoint endpoint = A2aEndpoint.at(path.substring(0, path.lastIndexOf(WELL_KNOWN)));
    return agentCards
        .of(endpoint, shape(endpoint, request), publicUrls.base(request))
        .thenApply(lookup -> response(request, lookup));
  }

  private HttpResponse<?> response(HttpRequest<?> request, CardLookup lookup) {
    return switch (lookup) {
      case CardLookup.Served(var card) -> response(request, card);
      case CardLookup.Unknown() -> errors.response(request, HttpError.NOT_FOUND);
      case CardLookup.Unreachable(int status) ->
          errors.response(
              request,
              HttpError.AGENT_UNREACHABLE,
              HttpStatus.valueOf(status),
              "the agent does not send its card now: ask again later");
    };
  }

  /** The former path is only known to clients of 0.3. */
  private static Shape shape(A2aEndpoint endpoint, HttpRequest<?> request) {
    A2aVersion version =
        DeclaredVersion.a2a(endpoint, request)
            .preferred()
            .orElse(isFormer(request.getPath()) ? A2aVersion.V0_3 : A2aVersion.V1_0);
    return switch (version) {
      case V0_3 -> Shape.BOTH;
      case V1_0 -> Shape.V1;
    };
  }

  private static boolean isFormer(String path) {
    return path.contains(FORMER);
  }

  private static MutableHttpResponse<?> response(HttpRequest<?> request, ServedCard agentCard) {
    MutableHttpResponse<?> response =
        isKnown(request, agentCard)
            ? HttpResponse.notModified()
            : HttpResponse.ok(agentCard.json()).contentType(MediaType.APPLICATION_JSON_TYPE);
    return response
        .header(HttpHeaders.ETAG, agentCard.etag())
        .header(HttpHeaders.CACHE_CONTROL, agentCard.isComplete() ? "max-age=60" : "no-cache")
        .header(HttpHeaders.VARY, DeclaredVersion.A2A_VERSION + ", " + Forwarding.VARY);
  }

  private static boolean isKnown(HttpRequest<?> request, ServedCard agentCard) {
    return request.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH).stream()
        .flatMap(header -> Stream.of(header.split(",", -1)))
        .map(tag -> tag.strip().replaceFirst("^W/", ""))
        .anyMatch(tag -> tag.equals("*") || tag.equals(agentCard.etag()));
  }
}
