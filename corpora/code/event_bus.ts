/**
 * 类型安全的事件总线。
 *
 * 事件名和载荷的对应关系写在 EventMap 里，编译期就能发现拼错的事件名。
 * 监听器按优先级从高到低调用；单个监听器抛错不会影响其他监听器。
 */

/** 业务事件一览，新增事件只改这里。 */
interface AppEvents {
  "user:login": { userId: string; at: Date };
  "user:logout": { userId: string };
  "cart:change": { sku: string; delta: number };
}

type Listener<P> = (payload: P) => void | Promise<void>;

interface Entry<P> {
  listener: Listener<P>;
  priority: number;
  once: boolean;
}

/** 取消订阅的函数，重复调用是安全的。 */
type Unsubscribe = () => void;

interface SubscribeOptions {
  /** 数字越大越先调用，默认 0。 */
  priority?: number;
  /** 只触发一次，触发后自动移除。 */
  once?: boolean;
}

class EventBus<M extends object> {
  // 注意：值类型在运行时擦除，这里只能用 any 存放，类型由 on/emit 的签名保证
  private readonly table = new Map<keyof M, Entry<any>[]>();

  constructor(
    private readonly onError: (event: string, err: unknown) => void = (event, err) =>
      console.error(`事件「${event}」的监听器出错：`, err),
  ) {}

  on<K extends keyof M>(
    event: K,
    listener: Listener<M[K]>,
    options: SubscribeOptions = {},
  ): Unsubscribe {
    const entry: Entry<M[K]> = {
      listener,
      priority: options.priority ?? 0,
      once: options.once ?? false,
    };
    const list = this.table.get(event) ?? [];
    // 插入到第一个优先级更低的位置之前，同级保持注册顺序
    const index = list.findIndex((e) => e.priority < entry.priority);
    if (index === -1) {
      list.push(entry);
    } else {
      list.splice(index, 0, entry);
    }
    this.table.set(event, list);
    return () => this.remove(event, entry);
  }

  once<K extends keyof M>(event: K, listener: Listener<M[K]>): Unsubscribe {
    return this.on(event, listener, { once: true });
  }

  /**
   * 触发事件，返回实际调用的监听器数量。
   * 异步监听器会并行执行，等全部结束后才 resolve。
   */
  async emit<K extends keyof M>(event: K, payload: M[K]): Promise<number> {
    // 先拷贝一份：监听器内部可能会增删订阅，不能边遍历边改
    const snapshot = [...(this.table.get(event) ?? [])];
    const jobs: Promise<void>[] = [];
    for (const entry of snapshot) {
      if (entry.once) {
        this.remove(event, entry);
      }
      jobs.push(this.invoke(event, entry, payload));
    }
    await Promise.all(jobs);
    return snapshot.length;
  }

  /** 当前监听器数量，主要给单元测试和排查内存泄漏用。 */
  count(event: keyof M): number {
    return this.table.get(event)?.length ?? 0;
  }

  private async invoke<K extends keyof M>(
    event: K,
    entry: Entry<M[K]>,
    payload: M[K],
  ): Promise<void> {
    try {
      await entry.listener(payload);
    } catch (err) {
      // 吞掉异常只上报，避免一个坏插件拖垮整个页面
      this.onError(String(event), err);
    }
  }

  private remove(event: keyof M, entry: Entry<any>): void {
    const list = this.table.get(event);
    if (!list) return;
    const rest = list.filter((e) => e !== entry);
    if (rest.length > 0) {
      this.table.set(event, rest);
    } else {
      this.table.delete(event); // 没人听了就删掉 key，防止 Map 越来越大
    }
  }
}

/** 简单演示：登录后刷新购物车，再记一条审计日志。 */
async function demo(): Promise<void> {
  const bus = new EventBus<AppEvents>();

  bus.on("user:login", ({ userId }) => console.log(`欢迎回来，${userId}`));
  bus.on("user:login", () => console.log("写入审计日志"), { priority: 10 });
  bus.once("cart:change", ({ sku, delta }) => {
    const verb = delta > 0 ? "加入" : "移出";
    console.log(`商品 ${sku} 已${verb}购物车，数量 ${Math.abs(delta)}`);
  });
  bus.on("user:logout", () => {
    throw new Error("模拟一个坏掉的监听器");
  });

  await bus.emit("user:login", { userId: "小周", at: new Date() });
  await bus.emit("cart:change", { sku: "茶叶-250g", delta: 2 });
  const called = await bus.emit("cart:change", { sku: "茶叶-250g", delta: -1 });
  console.log(`第二次触发时还有 ${called} 个监听器`); // 应为 0
  await bus.emit("user:logout", { userId: "小周" });
  // FIXME: 跨标签页的事件同步还没做，计划用 BroadcastChannel
}

demo();
