-- 书店月度销售报表（SQLite 方言，PostgreSQL 下需要改日期函数）
-- 运行：sqlite3 :memory: < report.sql
--
-- 表结构尽量保持简单：顾客、图书、订单、订单明细。
-- 金额一律以「分」为单位存整数，展示的时候再除以 100，避免浮点误差。

PRAGMA foreign_keys = ON;

CREATE TABLE customers (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    city     TEXT NOT NULL DEFAULT '未知',
    -- 会员等级：0 普通，1 银卡，2 金卡
    level    INTEGER NOT NULL DEFAULT 0 CHECK (level IN (0, 1, 2))
);

CREATE TABLE books (
    id       INTEGER PRIMARY KEY,
    title    TEXT NOT NULL,
    category TEXT NOT NULL,
    price    INTEGER NOT NULL CHECK (price >= 0)   -- 单位：分
);

CREATE TABLE orders (
    id          INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    created_at  TEXT NOT NULL,                     -- ISO 8601，存 UTC 时间
    status      TEXT NOT NULL CHECK (status IN ('已付款', '已退款', '待付款'))
);

CREATE TABLE order_items (
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    book_id  INTEGER NOT NULL REFERENCES books (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (order_id, book_id)
);

-- 报表基本都按时间范围过滤，这个索引不能省
CREATE INDEX idx_orders_created ON orders (created_at);

-- ---------- 测试数据 ----------

INSERT INTO customers (id, name, city, level) VALUES
    (1, '林晓雨', '杭州', 2),
    (2, '赵一鸣', '成都', 0),
    (3, '古丽娜', '乌鲁木齐', 1),
    (4, '陈阿婆', '泉州', 0);

INSERT INTO books (id, title, category, price) VALUES
    (1, '江南园林图说', '建筑', 8800),
    (2, '夜航船上的人', '小说', 4200),
    (3, '家常川菜一百味', '生活', 3650),
    (4, '编译器是怎样写成的', '计算机', 9900);

INSERT INTO orders (id, customer_id, created_at, status) VALUES
    (101, 1, '2024-03-02T08:15:00Z', '已付款'),
    (102, 2, '2024-03-11T13:40:00Z', '已付款'),
    (103, 3, '2024-03-28T02:05:00Z', '已退款'),
    (104, 1, '2024-04-06T10:20:00Z', '已付款'),
    (105, 4, '2024-04-09T15:00:00Z', '待付款'),
    (106, 3, '2024-04-30T17:30:00Z', '已付款');   -- 北京时间已经是 5 月 1 日

INSERT INTO order_items (order_id, book_id, quantity) VALUES
    (101, 1, 1), (101, 2, 2),
    (102, 3, 1),
    (103, 4, 1),
    (104, 4, 2),
    (105, 2, 1),
    (106, 2, 1), (106, 3, 3);

-- ---------- 视图：有效明细 ----------

-- 只统计已付款订单；月份按东八区划分，不然月底的单子会算错月
CREATE VIEW paid_lines AS
SELECT
    o.id                                              AS order_id,
    o.customer_id,
    strftime('%Y-%m', datetime(o.created_at, '+8 hours')) AS month,
    b.title,
    b.category,
    i.quantity,
    i.quantity * b.price                              AS amount
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.id
JOIN books       AS b ON b.id = i.book_id
WHERE o.status = '已付款';

-- 报表一：每月销售额、订单数、客单价，以及环比增长
WITH monthly AS (
    SELECT month,
           COUNT(DISTINCT order_id) AS order_count,
           SUM(amount)              AS total
    FROM paid_lines
    GROUP BY month
)
SELECT month                                              AS 月份,
       order_count                                        AS 订单数,
       printf('%.2f', total / 100.0)                      AS 销售额,
       printf('%.2f', total / 100.0 / order_count)        AS 客单价,
       -- 第一个月没有上月数据，显示横杠
       CASE
           WHEN LAG(total) OVER w IS NULL THEN '-'
           ELSE printf('%+.1f%%', total * 100.0 / LAG(total) OVER w - 100)
       END                                                AS 环比
FROM monthly
WINDOW w AS (ORDER BY month)
ORDER BY month;

-- 报表二：各分类里卖得最好的一本书（并列时都列出来）
SELECT category AS 分类, title AS 书名, sold AS 销量
FROM (
    SELECT category, title, SUM(quantity) AS sold,
           RANK() OVER (PARTITION BY category ORDER BY SUM(quantity) DESC) AS rk
    FROM paid_lines
    GROUP BY category, title
)
WHERE rk = 1
ORDER BY sold DESC, category;

-- 报表三：顾客贡献。用 LEFT JOIN 保留从没付过款的顾客，方便运营去回访
SELECT c.name AS 顾客, c.city AS 城市,
       CASE c.level WHEN 2 THEN '金卡' WHEN 1 THEN '银卡' ELSE '普通' END AS 等级,
       printf('%.2f', COALESCE(SUM(p.amount), 0) / 100.0) AS 累计消费
FROM customers AS c
LEFT JOIN paid_lines AS p ON p.customer_id = c.id
GROUP BY c.id
ORDER BY COALESCE(SUM(p.amount), 0) DESC, c.id;
