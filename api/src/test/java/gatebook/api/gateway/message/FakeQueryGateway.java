package gatebook.api.gateway.message;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;

/** Makes query gateways whose queries are answered by the test. */
public final class FakeQueryGateway {

  private FakeQueryGateway() {}

  /** A gateway that passes each query to this answer. */
  public static QueryGateway of(Function<Object, CompletableFuture<?>> answer) {
    return (QueryGateway)
        Proxy.newProxyInstance(
            QueryGateway.class.getClassLoader(),
            new Class<?>[] {QueryGateway.class},
            (_, _, args) -> answer.apply(args[0]));
  }
}
