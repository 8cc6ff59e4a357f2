package gatebook.api.mcp;

import gatebook.api.border.Ground;
import gatebook.api.border.Methods;
import gatebook.api.mcp.Listening.Part;
import gatebook.api.mcp.session.Post;
import gatebook.api.mcp.session.Session;
import gatebook.api.mcp.session.Session.Met;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Wanted;
import gatebook.command.gate.Family;
import gatebook.command.gate.Visibility;
import gatebook.command.gate.Visibility.Sight;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Deferral;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.task.TaskStanding;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The methods of MCP that are served: what acts on something by the sources behind the gates, and
 * the rest by the sources together. Nothing has to be asked before anything else.
 */
public final class McpMethods implements Methods {

  private static final String INITIALIZE = "initialize";
  private static final String DISCOVER = "server/discover";
  private static final String LISTEN = "subscriptions/listen";
  private static final String CANCELLED = "notifications/cancelled";

  /** What everybody who has conversations answers for himself. */
  private static final Set<String> OURS = Set.of(INITIALIZE, "ping");

  /** What concerns the whole conversation, and so every source in it. */
  private static final Set<String> ALL = Set.of("logging/setLevel");

  /** What only the one that is meant can answer. */
  private static final Set<String> ONE = Set.of(DISCOVER, LISTEN);

  private static final String UNSUBSCRIBE = "resources/unsubscribe";

  private final Targets targets = new Targets();
  private final TaskMethods tasks = new TaskMethods();
  private final TasksOfSources sourceTasks = new TasksOfSources();
  private final Introductions introductions;

  /** {@code version} is what clients are told of our own. */
  public McpMethods(String version) {
    this.introductions = new Introductions(version);
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Aim aim(Asking asking) {
    return Era.refusal(asking)
        .<Aim>map(Aim.Unservable::new)
        .or(() -> tasks.aim(asking))
        .or(() -> targets.aim(asking))
        .orElseGet(() -> ungoverned(asking.method()));
  }

  @Override
  public String targetParam(Asking asking) {
    return targets.param(asking);
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    return targets.arguments(asking);
  }

  @Override
  public Optional<Deferral> deferral(Asking asking, UUID callId) {
    return tasks.deferral(asking, callId);
  }

  @Override
  public String deferred(Asking asking, TaskStanding.Known standing) {
    return tasks.deferred(asking, standing);
  }

  /** Sources that the rules name are the same wherever these rules are. */
  @Override
  public boolean goesOnHere(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.HTTP;
  }

  @Override
  public @Nullable String onward(@Nullable String params) {
    return TaskMethods.onward(params);
  }

  private Aim ungoverned(String method) {
    return isKnown(method) || method.startsWith("notifications/")
        ? new Aim.Ask()
        : new Aim.Unservable(new MethodNotFound(method));
  }

  private boolean isKnown(String method) {
    return OURS.contains(method)
        || ALL.contains(method)
        || ONE.contains(method)
        || method.equals(UNSUBSCRIBE)
        || sourceTasks.knows(method)
        || Catalogue.of(method).isPresent();
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    return tasks.answer(asking, setting).orElseGet(() -> others(asking, setting));
  }

  private CompletableFuture<Ended> others(Asking asking, Setting setting) {
    String method = asking.method();
    if (method.equals(INITIALIZE)) {
      return initialize(asking, setting);
    }
    if (ALL.contains(method)) {
      return everybody(asking, setting);
    }
    if (method.equals(DISCOVER)) {
      return discover(asking, setting);
    }
    if (method.equals(LISTEN) && !isAlone(setting.ground())) {
      return heard(asking, setting);
    }
    if (ONE.contains(method)) {
      return only(asking, setting);
    }
    if (method.equals(UNSUBSCRIBE)) {
      return named(asking, setting);
    }
    if (sourceTasks.knows(method)) {
      return sourceTasks.answer(asking, setting);
    }
    return Catalogue.of(method)
        .map(list -> list.answer(asking, setting))
        .orElseGet(() -> result("{}"));
  }

  private CompletableFuture<Ended> initialize(Asking asking, Setting setting) {
    String params = asking.params() == null ? "{}" : asking.params();
    List<Source> sources = Catalogue.sources(setting.ground().rules());
    CompletableFuture<List<Met>> met =
        setting.conversation() instanceof Post post && post.session() != null
            ? post.introduce(
                new Introduction(params, setting.headers()),
                setting.callId(),
                setting.ground(),
                sources)
            : CompletableFuture.completedFuture(
                sources.stream().map(it -> new Met(it, new Opening.None())).toList());
    return met.thenApply(all ->
        TaskOffers.introduced(
            introductions.of(all, params, setting.callId()), setting.ground().rules()));
  }

  /** The first that answers something else than that it does so is the answer. */
  private static CompletableFuture<Ended> everybody(Asking asking, Setting setting) {
    return asked(Catalogue.sources(setting.ground().rules()), asking, setting)
        .thenApply(all ->
            all.stream()
                .filter(Ended.Result.class::isInstance)
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElseGet(() -> new Ended.Result("{}", false)));
  }

  private CompletableFuture<Ended> discover(Asking asking, Setting setting) {
    List<Source> sources = Catalogue.sources(setting.ground().rules());
    CompletableFuture<Ended> discovered =
        sources.size() == 1
            ? setting.sources().ask(sources.getFirst(), asking.method(), asking.params())
            : asked(sources, asking, setting)
                .thenApply(all -> introductions.discovered(sources, all, setting.callId()));
    return discovered.thenApply(said -> TaskOffers.discovered(said, setting.ground().rules()));
  }

  private static CompletableFuture<List<Ended>> asked(
      List<Source> sources, Asking asking, Setting setting) {
    List<CompletableFuture<Ended>> asked =
        sources.stream()
            .map(source -> setting.sources().ask(source, asking.method(), asking.params()))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> asked.stream().map(CompletableFuture::join).toList());
  }

  private static CompletableFuture<Ended> only(Asking asking, Setting setting) {
    List<Source> sources = Catalogue.sources(setting.ground().rules());
    return sources.size() == 1
        ? setting.sources().ask(sources.getFirst(), asking.method(), asking.params())
        : unknown(asking.method());
  }

  /** Who has anything to say speaks for all: see {@link #upstream}. */
  private static CompletableFuture<Ended> heard(Asking asking, Setting setting) {
    List<Source> sources = Catalogue.sources(setting.ground().rules());
    return sources.isEmpty()
        ? unknown(asking.method())
        : setting.sources().ask(sources.getFirst(), asking.method(), asking.params());
  }

  private static boolean isAlone(Ground ground) {
    return Catalogue.sources(ground.rules()).size() == 1;
  }

  /** Whoever wants to hear several sources has them as one, and hears of no other's tasks. */
  @Override
  public Upstream upstream(Asking asking, Source source, Party party) {
    Upstream outside = party.conversation().upstream(party.ground(), source);
    if (!asking.method().equals(LISTEN)) {
      return outside;
    }
    Wanted wanted = Wanted.of(asking.members());
    boolean isPlain =
        isAlone(party.ground())
            && (TasksOfSources.isAnybodys(party.ground().rules()) || !wanted.names(Wanted.TASKS));
    return isPlain ? outside : new Listening(outside, wanted, parts(wanted, party));
  }

  private List<Part> parts(Wanted wanted, Party party) {
    List<Part> all =
        Catalogue.sources(party.ground().rules()).stream()
            .map(each ->
                new Part(
                    each,
                    party.conversation().upstream(party.ground(), each),
                    wanted.about((member, name) -> isOf(member, name, each, party))))
            .toList();
    List<Part> concerned = all.stream().filter(part -> !part.wanted().isNothing()).toList();
    return concerned.isEmpty() ? all : concerned;
  }

  private boolean isOf(String member, String name, Source source, Party party) {
    return member.equals(Wanted.TASKS)
        ? sourceTasks.isOf(party.principal(), name, source.id())
        : Visibility.answering(name, Family.TOOLS, party.ground().rules())
            .filter(source::equals)
            .isPresent();
  }

  private static CompletableFuture<Ended> named(Asking asking, Setting setting) {
    return asking
        .members()
        .text("uri")
        .flatMap(uri -> shown(uri, setting))
        .map(source -> setting.sources().ask(source, asking.method(), asking.params()))
        .orElseGet(() -> unknown(asking.method()));
  }

  private static Optional<Source> shown(String name, Setting setting) {
    return Visibility.of(name, Family.TOOLS, setting.ground().rules())
            instanceof Sight.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  private static CompletableFuture<Ended> unknown(String method) {
    return CompletableFuture.completedFuture(new Ended.Failure(new MethodNotFound(method)));
  }

  @Override
  public void ended(Asking asking, Source source, String principal, Ended ended) {
    sourceTasks.ended(asking, source, principal, ended);
  }

  @Override
  public void taken(Asking asking, Setting setting) {
    Session session = setting.conversation() instanceof Post post ? post.session() : null;
    if (session != null) {
      if (asking.method().equals(CANCELLED)) {
        // before the source hears of it, and hangs up
        asking.members().json("requestId").ifPresent(session::cancel);
      }
      session.tellAll(asking.method(), asking.params(), setting.headers());
    }
  }

  private static CompletableFuture<Ended> result(String json) {
    return CompletableFuture.completedFuture(new Ended.Result(json, false));
  }
}
