import { render } from 'preact';
import '../ui/style.css';

render(<h1>treewright lesson</h1>, document.getElementById('app')!);
