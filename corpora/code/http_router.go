// 一个极简的 HTTP 路由器，支持静态路径、命名参数（:id）和末尾通配（*path）。
// 没有用正则：路径按斜杠切成段，逐段走一棵前缀树，查找复杂度只和段数有关。
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"
)

// Params 保存从路径里解析出来的命名参数。
type Params map[string]string

// Handler 比标准库多带一个参数表，省得再往 context 里塞东西。
type Handler func(w http.ResponseWriter, r *http.Request, p Params)

// node 是前缀树的一个结点，每个结点对应路径中的一段。
type node struct {
	static   map[string]*node // 静态子结点，优先级最高
	param    *node            // 命名参数子结点，同一层只允许有一个
	name     string           // 参数名，只有 param 和通配结点才会用到
	wildcard *node            // 末尾通配，必须是最后一段
	handlers map[string]Handler
}

func newNode() *node {
	return &node{static: make(map[string]*node), handlers: make(map[string]Handler)}
}

// Router 的零值不可用，请通过 NewRouter 创建。
type Router struct {
	root     *node
	NotFound http.HandlerFunc
}

func NewRouter() *Router {
	return &Router{
		root: newNode(),
		NotFound: func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "页面不存在："+r.URL.Path, http.StatusNotFound)
		},
	}
}

// split 去掉首尾斜杠再切段；根路径返回空切片。
func split(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// Handle 注册路由。只应在启动阶段调用，运行期修改没有加锁，会有竞态。
func (rt *Router) Handle(method, pattern string, h Handler) {
	cur := rt.root
	segs := split(pattern)
	for i, seg := range segs {
		switch {
		case strings.HasPrefix(seg, ":"):
			if cur.param == nil {
				cur.param = newNode()
				cur.param.name = seg[1:]
			} else if cur.param.name != seg[1:] {
				panic(fmt.Sprintf("参数名冲突：%s 与 :%s", seg, cur.param.name))
			}
			cur = cur.param
		case strings.HasPrefix(seg, "*"):
			if i != len(segs)-1 {
				panic("通配符只能出现在最后一段：" + pattern)
			}
			if cur.wildcard == nil {
				cur.wildcard = newNode()
				cur.wildcard.name = seg[1:]
			}
			cur = cur.wildcard
		default:
			next, ok := cur.static[seg]
			if !ok {
				next = newNode()
				cur.static[seg] = next
			}
			cur = next
		}
	}
	if _, dup := cur.handlers[method]; dup {
		panic("重复注册：" + method + " " + pattern)
	}
	cur.handlers[method] = h
}

// lookup 递归查找。静态优先，其次命名参数，最后才轮到通配；走不通就回溯。
func (n *node) lookup(segs []string, p Params) *node {
	if len(segs) == 0 {
		if len(n.handlers) > 0 {
			return n
		}
		return nil
	}
	if next, ok := n.static[segs[0]]; ok {
		if hit := next.lookup(segs[1:], p); hit != nil {
			return hit
		}
	}
	if n.param != nil {
		if hit := n.param.lookup(segs[1:], p); hit != nil {
			p[n.param.name] = segs[0] // 命中之后再写，回溯时不用清理
			return hit
		}
	}
	if n.wildcard != nil {
		p[n.wildcard.name] = strings.Join(segs, "/")
		return n.wildcard
	}
	return nil
}

func (rt *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	params := Params{}
	n := rt.root.lookup(split(r.URL.Path), params)
	if n == nil {
		rt.NotFound(w, r)
		return
	}
	h, ok := n.handlers[r.Method]
	if !ok {
		// 路径存在但方法不对，按规范应该回 405 而不是 404
		http.Error(w, "不支持的请求方法", http.StatusMethodNotAllowed)
		return
	}
	h(w, r, params)
	log.Printf("%s %s 耗时 %v", r.Method, r.URL.Path, time.Since(start))
}

func main() {
	rt := NewRouter()
	rt.Handle("GET", "/users/:id", func(w http.ResponseWriter, r *http.Request, p Params) {
		fmt.Fprintf(w, "用户编号：%s\n", p["id"])
	})
	rt.Handle("GET", "/static/*path", func(w http.ResponseWriter, r *http.Request, p Params) {
		fmt.Fprintf(w, "静态文件：%s\n", p["path"])
	})
	// TODO: 超时时间改成从配置读取
	srv := &http.Server{Addr: ":8080", Handler: rt, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}
